import {
  downloadFormats,
  isVectorFormat,
  type DownloadFormat,
  type DownloadQuery,
} from '@everscan/contract/resources/downloads.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api } from '../session/api.ts'
import { AddressNotice } from './address-notice.tsx'
import { plainPrint, PrintFields, printQuery } from './print-fields.tsx'
import { codesText } from './code-changes.ts'
import { formatNumber } from '../ui/format.ts'
import { problemText } from '../ui/problems.ts'
import { saveDownload, saveFile } from '../ui/save-file.ts'
import { bulkWords } from '../words/codes-words.ts'
import { ChoiceField } from '../ui/choice.tsx'
import { Dialog, FormButtons } from '../ui/dialog.tsx'
import { Notice } from '../ui/surfaces.tsx'

const text = bulkWords.download
const formats = Object.keys(downloadFormats) as DownloadFormat[]
const pixels = ['512', '1024', '2048', '4096'] as const
const millimetres = ['20', '30', '40', '60', '100', '200', '500'] as const

type Props = { orgId: string; codes: readonly QrCode[]; onClose: () => void }

/** Downloads the picture of a code, or those of many as a zip archive. */
export function PicturesDialog({ orgId, codes, onClose }: Props) {
  const [format, setFormat] = useState<DownloadFormat>('png')
  const [size, setSize] = useState<(typeof pixels)[number]>('1024')
  const [sizeMm, setSizeMm] = useState<(typeof millimetres)[number]>('40')
  const [print, setPrint] = useState(plainPrint)
  const inMillimetres = isVectorFormat(format) || format === 'svg'
  const download = useMutation({
    mutationFn: async () =>
      savePictures(orgId, codes, {
        format,
        ...(inMillimetres ? { sizeMm: Number(sizeMm) } : { size: Number(size) }),
        ...(isVectorFormat(format) && printQuery(print)),
      }),
    onSuccess: onClose,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    download.mutate()
  }
  return (
    <Dialog title={text.title(codesText(codes.length))} onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <AddressNotice orgId={orgId} />
        {download.error !== null && <Notice kind="problem">{problemText(download.error)}</Notice>}
        <ChoiceField
          label={text.format}
          value={format}
          options={formats.map((one) => [one, text.formats[one]] as const)}
          onChoose={setFormat}
        />
        {inMillimetres ? (
          <ChoiceField
            label={text.size}
            value={sizeMm}
            options={millimetres.map((one) => [one, text.millimetres(formatNumber(Number(one)))] as const)}
            onChoose={setSizeMm}
          />
        ) : (
          <ChoiceField
            label={text.size}
            value={size}
            options={pixels.map((one) => [one, text.pixels(formatNumber(Number(one)))] as const)}
            onChoose={setSize}
          />
        )}
        {isVectorFormat(format) && <PrintFields value={print} onChange={setPrint} />}
        <FormButtons action={text.start} busy={download.isPending} onClose={onClose}>
          {download.isPending && (
            <p role="status" className="flex-1 text-sm text-soft">
              {text.working}
            </p>
          )}
        </FormButtons>
      </form>
    </Dialog>
  )
}

async function savePictures(orgId: string, codes: readonly QrCode[], wanted: DownloadQuery): Promise<void> {
  const [only] = codes
  if (codes.length === 1 && only !== undefined) {
    saveDownload(await api.qrCodes.download(orgId, only.id, wanted))
    return
  }
  const ids = codes.map(({ id }) => id)
  const { body, contentType, fileName } = await api.batches.download(orgId, ids, wanted)
  const parts: BlobPart[] = []
  for await (const part of body) parts.push(part as Uint8Array<ArrayBuffer>)
  saveFile(new Blob(parts, { type: contentType }), fileName)
}
