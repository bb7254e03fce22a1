import type { Organization } from '@everscan/client/create-client.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { ArrowLeft, Camera } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { FileDrop } from '../ui/file-drop.tsx'
import { Notice } from '../ui/surfaces.tsx'
import { pictureWords } from '../words/finder-words.ts'
import { CameraView } from './camera-view.tsx'
import { usePictureSearch, type Outcome } from './use-picture-search.ts'

const text = pictureWords

type Props = {
  orgId: string
  organizations: readonly Organization[]
  onFound: (orgId: string, code: QrCode) => void
  onBack: () => void
}

/** Finds a code by the camera, or by a photo that is chosen, dropped or pasted. */
export function PictureFinder({ orgId, organizations, onFound, onBack }: Props) {
  const [isCameraOpen, setCameraOpen] = useState(false)
  const { isBusy, outcome, setOutcome, find, readFile } = usePictureSearch(orgId, { organizations, onFound })
  const read = useCallback(
    (file: Blob) => {
      setCameraOpen(false)
      void readFile(file)
    },
    [readFile],
  )
  usePastedFile(read)

  return (
    <div className="min-h-0 overflow-auto p-4 sm:p-5">
      <Head onBack={onBack} />
      <p className="mb-4 text-soft">{text.text}</p>
      {isCameraOpen ? (
        <CameraView
          onContent={(content) => {
            setCameraOpen(false)
            void find(content)
          }}
          onStop={() => setCameraOpen(false)}
          onProblem={(problem) => {
            setCameraOpen(false)
            setOutcome({ text: problem })
          }}
        />
      ) : (
        <div className="grid gap-3">
          <Button
            look="primary"
            autoFocus
            busy={isBusy}
            onClick={() => {
              setOutcome(undefined)
              setCameraOpen(true)
            }}
            className="min-h-12"
          >
            <Camera size={20} aria-hidden />
            {text.camera}
          </Button>
          <FileDrop
            label={text.photo}
            action={text.choose}
            hint={text.hint}
            accept="image/*"
            onFile={(file) => {
              if (!isBusy) read(file)
            }}
          />
        </div>
      )}
      <SearchState isBusy={isBusy} outcome={outcome} />
    </div>
  )
}

function Head({ onBack }: Pick<Props, 'onBack'>) {
  return (
    <div className="mb-3 flex items-center gap-1 pe-10">
      <Button look="quiet" aria-label={text.back} title={text.back} onClick={onBack} className="-ms-3">
        <ArrowLeft size={18} aria-hidden />
      </Button>
      <p className="text-lg font-semibold" aria-hidden>
        {text.title}
      </p>
    </div>
  )
}

function usePastedFile(onFile: (file: Blob) => void): void {
  useEffect(() => {
    const paste = ({ clipboardData }: ClipboardEvent) => {
      const [file] = clipboardData?.files ?? []
      if (file !== undefined) onFile(file)
    }
    addEventListener('paste', paste)
    return () => removeEventListener('paste', paste)
  }, [onFile])
}

function SearchState({ isBusy, outcome }: { isBusy: boolean; outcome: Outcome | undefined }) {
  return (
    <div role="status" className="mt-3">
      {isBusy && <p className="text-soft">{text.reading}</p>}
      {outcome !== undefined && (
        <Notice kind="problem">
          {outcome.text}
          {outcome.content !== undefined && (
            <bdi className="mt-1 block font-mono text-sm wrap-anywhere">{outcome.content}</bdi>
          )}
        </Notice>
      )}
    </div>
  )
}
