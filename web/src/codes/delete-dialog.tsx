import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { problemText } from '../ui/problems.ts'
import { Notice } from '../ui/surfaces.tsx'
import { deletionWords } from '../words/bin-words.ts'
import { commonWords } from '../words/common-words.ts'
import { deleteCodes } from './bin.ts'
import { codesText } from './code-changes.ts'
import { DeletionEffect, isConfirmed, TypedCount } from './deletion-parts.tsx'
import { recentScansQuery } from './recent-scans.ts'

const text = deletionWords

type Props = {
  orgId: string
  codes: readonly QrCode[]
  onClose: () => void
  /** Archives the codes instead; absent if none of them is active. */
  onArchive?: (() => Promise<unknown>) | undefined
  onDeleted: (codes: readonly QrCode[]) => void
}

/**
 * Asks before codes are moved to the bin: tells how often they were scanned lately, offers to
 * archive them first, and wants the number of many codes typed.
 */
export function DeleteDialog({ orgId, codes, onClose, onArchive, onDeleted }: Props) {
  const [typed, setTyped] = useState('')
  const scans = useQuery(recentScansQuery(orgId, codes))
  const remove = useMutation({
    mutationFn: async () => deleteCodes(orgId, codes),
    onSuccess: (deleted) => {
      onClose()
      onDeleted(deleted)
    },
  })
  const archive = useMutation({ mutationFn: async () => onArchive?.(), onSuccess: onClose })
  const count = codes.length
  const [first] = codes
  const what = count === 1 && first !== undefined ? text.quoted(first.name) : codesText(count)
  const problem = remove.error ?? archive.error
  const submit = (event: FormEvent) => {
    event.preventDefault()
    remove.mutate()
  }
  return (
    <Dialog title={text.title(what)} onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        {problem !== null && <Notice kind="problem">{problemText(problem)}</Notice>}
        <DeletionEffect count={count} scans={scans} />
        {onArchive !== undefined && <p className="text-soft">{text.archiveHint(count)}</p>}
        <TypedCount count={count} typed={typed} onType={setTyped} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{commonWords.cancel}</Button>
          {onArchive !== undefined && (
            <Button
              look="primary"
              data-autofocus
              autoFocus
              busy={archive.isPending}
              onClick={() => archive.mutate()}
            >
              {text.archive}
            </Button>
          )}
          <Button type="submit" look="danger" busy={remove.isPending} disabled={!isConfirmed(count, typed)}>
            {text.delete(codesText(count))}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
