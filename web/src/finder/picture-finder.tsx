import type { Organization } from '@everscan/client/create-client.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { ArrowLeft, Camera } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { FileDrop } from '../ui/file-drop.tsx'
import { problemText } from '../ui/problems.ts'
import { Notice } from '../ui/surfaces.tsx'
import { pictureWords } from '../words/finder-words.ts'
import { CameraView } from './camera-view.tsx'
import { findScannedCode } from './find-scanned-code.ts'
import { openPicture, readPhoto } from './read-picture.ts'

const text = pictureWords

type Props = {
  orgId: string
  organizations: readonly Organization[]
  onFound: (orgId: string, code: QrCode) => void
  onBack: () => void
}

/** A message below the controls, with the content of the picture if it matters. */
type Outcome = { text: string; content?: string }

/** Finds a code by the camera, or by a photo that is chosen, dropped or pasted. */
export function PictureFinder({ orgId, organizations, onFound, onBack }: Props) {
  const [isCameraOpen, setCameraOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const ended = useRef<AbortController>(undefined)
  useEffect(() => {
    const controller = new AbortController()
    ended.current = controller
    return () => controller.abort()
  }, [])

  const find = useCallback(
    async (content: string) => {
      const signal = ended.current?.signal ?? AbortSignal.abort()
      const others = organizations.map(({ id }) => id).filter((id) => id !== orgId)
      try {
        const found = await findScannedCode(content, { orgIds: [orgId, ...others], signal })
        if (signal.aborted) return
        if (found.kind === 'code') onFound(found.orgId, found.code)
        else if (found.kind === 'hidden') setOutcome({ text: text.hidden(found.shortCode) })
        else setOutcome({ text: text.foreign, content: found.content })
      } catch (error) {
        if (!signal.aborted) setOutcome({ text: problemText(error) })
      }
    },
    [orgId, organizations, onFound],
  )

  const readFile = useCallback(
    async (file: Blob) => {
      const signal = ended.current?.signal ?? AbortSignal.abort()
      setCameraOpen(false)
      setOutcome(undefined)
      setBusy(true)
      try {
        const photo = await openPicture(file)
        if (photo === undefined) return setOutcome({ text: text.notPicture })
        const content = await readPhoto(photo, signal)
        photo.close()
        if (signal.aborted) return
        if (content === undefined) setOutcome({ text: text.noCode })
        else await find(content)
      } finally {
        if (!signal.aborted) setBusy(false)
      }
    },
    [find],
  )

  useEffect(() => {
    const paste = ({ clipboardData }: ClipboardEvent) => {
      const [file] = clipboardData?.files ?? []
      if (file !== undefined) void readFile(file)
    }
    addEventListener('paste', paste)
    return () => removeEventListener('paste', paste)
  }, [readFile])

  return (
    <div className="min-h-0 overflow-auto p-4 sm:p-5">
      <div className="mb-3 flex items-center gap-1 pe-10">
        <Button look="quiet" aria-label={text.back} title={text.back} onClick={onBack} className="-ms-3">
          <ArrowLeft size={18} aria-hidden />
        </Button>
        <p className="text-lg font-semibold" aria-hidden>
          {text.title}
        </p>
      </div>
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
              if (!isBusy) void readFile(file)
            }}
          />
        </div>
      )}
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
    </div>
  )
}
