import type { Organization } from '@everscan/client/create-client.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { useCallback, useEffect, useRef, useState } from 'react'
import { problemText } from '../ui/problems.ts'
import { pictureWords } from '../words/finder-words.ts'
import { findScannedCode } from './find-scanned-code.ts'
import { openPicture, readPhoto } from './read-picture.ts'

const text = pictureWords

/** A message below the controls, with the content of the picture if it matters. */
export type Outcome = { text: string; content?: string }

type Options = {
  organizations: readonly Organization[]
  onFound: (orgId: string, code: QrCode) => void
}

/** Finds the code of a content or of a photo, until the finder closes. */
export function usePictureSearch(orgId: string, { organizations, onFound }: Options) {
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
  return { isBusy, outcome, setOutcome, find, readFile }
}
