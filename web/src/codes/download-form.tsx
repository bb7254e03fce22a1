import type { TypedQrCode } from '@everscan/client/create-client.ts'
import {
  downloadFormats,
  isVectorFormat,
  type DownloadFormat,
  type DownloadQuery,
} from '@everscan/contract/resources/downloads.ts'
import { keysOf } from '@everscan/contract/schema/records.ts'
import { pictureLimits } from '@everscan/qr/picture.ts'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { api } from '../session/api.ts'
import { AddressNotice } from './address-notice.tsx'
import { plainPrint, PrintFields, printQuery } from './print-fields.tsx'
import { saveDownload } from '../ui/save-file.ts'
import { formatNumber } from '../ui/format.ts'
import { problemText } from '../ui/problems.ts'
import { editorWords } from '../words/editor-words.ts'
import { Button } from '../ui/button.tsx'
import { ChoiceField } from '../ui/choice.tsx'
import { Field } from '../ui/field.tsx'
import { Options } from '../ui/options.tsx'
import { Notice } from '../ui/surfaces.tsx'
import { LearnMore } from '../ui/learn-more.tsx'

const text = editorWords.ready
const formats = keysOf(downloadFormats)
const dpis = ['150', '300', '600', '1200'] as const
const px = { min: pictureLimits.sizePxMin, max: pictureLimits.sizePxMax } as const
const mm = { min: 5, max: 2_000 } as const

/** The file that is wanted, with the sizes as they are typed. */
type Wanted = {
  format: DownloadFormat
  /** Vector formats have no pixels. */
  measure: 'px' | 'mm'
  sizePx: string
  sizeMm: string
  dpi: (typeof dpis)[number]
  print: typeof plainPrint
}

/** Downloads the picture of a code as a file in any format, for a screen or for print. */
export function DownloadForm({ orgId, code }: { orgId: string; code: TypedQrCode }) {
  const { minPrintMm } = code.scannability
  const [wanted, setWanted] = useState<Wanted>(() => ({
    format: 'png',
    measure: 'px',
    sizePx: '1024',
    sizeMm: String(Math.max(30, Math.ceil(minPrintMm / 10) * 10)),
    dpi: '300',
    print: plainPrint,
  }))
  const change = (changes: Partial<Wanted>) => setWanted((now) => ({ ...now, ...changes }))
  const { format, print } = wanted
  const { measure, isWrong } = sizeOf(wanted)
  const download = useMutation({
    mutationFn: async () => saveDownload(await api.qrCodes.download(orgId, code.id, queryOf(wanted))),
  })
  return (
    <form
      noValidate
      className="grid content-start gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isWrong) download.mutate()
      }}
    >
      <AddressNotice orgId={orgId} />
      <Options
        legend={text.format}
        className="grid grid-cols-3 gap-2"
        value={format}
        options={formats.map((one) => [one, one.toUpperCase()] as const)}
        onChoose={(next) => change({ format: next })}
      />
      <p className="-mt-2 text-sm text-soft">{text.formatHints[format]}</p>
      {!isVectorFormat(format) && (
        <Options
          legend={text.measure}
          value={measure}
          options={[
            ['px', text.measures.px],
            ['mm', text.measures.mm],
          ]}
          onChoose={(next) => change({ measure: next })}
        />
      )}
      <SizeFields wanted={wanted} minPrintMm={minPrintMm} onChange={change} />
      {isVectorFormat(format) && <PrintFields value={print} onChange={(next) => change({ print: next })} />}
      <p className="text-sm text-soft">
        {text.printHint(formatNumber(minPrintMm))} <LearnMore about="printSizes" />
      </p>
      {download.isError && <Notice kind="problem">{problemText(download.error)}</Notice>}
      <Button type="submit" look="primary" busy={download.isPending} disabled={isWrong}>
        <Download size={16} aria-hidden />
        {text.get(format.toUpperCase())}
      </Button>
    </form>
  )
}

/** Returns the wanted size in its measure, and whether it is beyond the bounds of that. */
function sizeOf({ format, measure: chosen, sizePx, sizeMm }: Wanted) {
  const measure = isVectorFormat(format) ? 'mm' : chosen
  const width = Number((measure === 'px' ? sizePx : sizeMm).replace(',', '.'))
  const { min, max } = measure === 'px' ? px : mm
  const isWrong = !(width >= min && width <= max) || (measure === 'px' && !Number.isInteger(width))
  const hasDpi = measure === 'mm' && format !== 'svg' && !isVectorFormat(format)
  return { measure, width, min, max, isWrong, hasDpi }
}

function queryOf(wanted: Wanted) {
  const { format, dpi, print } = wanted
  const { measure, width, hasDpi } = sizeOf(wanted)
  const size: DownloadQuery = measure === 'px' ? { size: width } : { sizeMm: width }
  return {
    format,
    ...size,
    ...(hasDpi && { dpi: Number(dpi) }),
    ...(isVectorFormat(format) && printQuery(print)),
  }
}

type SizeProps = { wanted: Wanted; minPrintMm: number; onChange: (changes: Partial<Wanted>) => void }

function SizeFields({ wanted, minPrintMm, onChange }: SizeProps) {
  const { sizePx, sizeMm, dpi } = wanted
  const { measure, width, min, max, isWrong, hasDpi } = sizeOf(wanted)
  const problem = isWrong ? text.sizeProblem(formatNumber(min), formatNumber(max)) : undefined
  return (
    <div className={`grid items-start gap-3 ${hasDpi ? 'grid-cols-2' : ''}`}>
      {measure === 'px' ? (
        <Field
          label={text.sizePx}
          inputMode="numeric"
          autoComplete="off"
          problem={problem}
          value={sizePx}
          onChange={(event) => onChange({ sizePx: event.target.value })}
        />
      ) : (
        <Field
          label={text.sizeMm}
          inputMode="decimal"
          autoComplete="off"
          problem={problem ?? (width < minPrintMm ? text.tooSmall(formatNumber(minPrintMm)) : undefined)}
          value={sizeMm}
          onChange={(event) => onChange({ sizeMm: event.target.value })}
        />
      )}
      {hasDpi && (
        <ChoiceField
          label={text.dpi}
          value={dpi}
          options={dpis.map((one) => [one, text.dpis(one)] as const)}
          onChoose={(next) => onChange({ dpi: next })}
        />
      )}
    </div>
  )
}
