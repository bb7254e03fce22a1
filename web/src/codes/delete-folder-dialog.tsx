import type { Folder } from '@everscan/client/create-client.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { Dialog, FormButtons } from '../ui/dialog.tsx'
import { formatNumber } from '../ui/format.ts'
import { problemText } from '../ui/problems.ts'
import { Notice } from '../ui/surfaces.tsx'
import { foldersWords } from '../words/codes-words.ts'
import { DeletionEffect, isConfirmed, TypedCount } from './deletion-parts.tsx'
import { deleteFolder } from './folder-deletion.ts'
import { foldersQuery } from './folders.ts'
import { recentFolderScansQuery } from './recent-scans.ts'

const text = foldersWords

type Props = {
  orgId: string
  folder: Folder
  onClose: () => void
  onDeleted: (folder: Folder) => void
}

/**
 * Asks before a folder is deleted, and whether its codes stay. Codes that go with it are asked for
 * like all deletions of codes.
 */
export function DeleteFolderDialog({ orgId, folder, onClose, onDeleted }: Props) {
  const [withCodes, setWithCodes] = useState(false)
  const [typed, setTyped] = useState('')
  const folders = useQuery(foldersQuery(orgId))
  const subfolders = (folders.data ?? []).filter(({ parentId }) => parentId === folder.id)
  const count = folder.qrCodeCount
  const remove = useMutation({
    mutationFn: async () => deleteFolder(orgId, folder, { subfolders, withCodes }),
    onSuccess: () => {
      onClose()
      onDeleted(folder)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    remove.mutate()
  }
  return (
    <Dialog title={text.deleteTitle(folder.name)} onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        {remove.error !== null && <Notice kind="problem">{problemText(remove.error)}</Notice>}
        {count === 0 ? (
          <p className="text-soft">{text.deleteText(subfolders.length)}</p>
        ) : (
          <>
            <fieldset className="grid gap-1">
              <legend className="mb-2 font-medium">{text.deleteCodes(count, formatNumber(count))}</legend>
              <Answer checked={!withCodes} onChoose={() => setWithCodes(false)} hint={text.keepCodesHint}>
                {text.keepCodes(count)}
              </Answer>
              <Answer checked={withCodes} onChoose={() => setWithCodes(true)}>
                {text.binCodes(count)}
              </Answer>
            </fieldset>
            {withCodes && <Effect orgId={orgId} folder={folder} />}
            {subfolders.length > 0 && <p className="text-soft">{text.subfoldersMove(subfolders.length)}</p>}
          </>
        )}
        {withCodes && <TypedCount count={count} typed={typed} onType={setTyped} />}
        <FormButtons
          action={text.deleteAction}
          look="danger"
          busy={remove.isPending || folders.isPending}
          disabled={withCodes && !isConfirmed(count, typed)}
          onClose={onClose}
        />
      </form>
    </Dialog>
  )
}

type AnswerProps = { checked: boolean; onChoose: () => void; hint?: string; children: string }

function Answer({ checked, onChoose, hint, children }: AnswerProps) {
  return (
    <label className="flex min-h-10 cursor-pointer items-start gap-3 py-1.5">
      <input
        type="radio"
        name="codes"
        checked={checked}
        onChange={onChoose}
        className="mt-1 size-4 accent-brand"
      />
      <span>
        {children}
        {hint !== undefined && <span className="block text-sm text-soft">{hint}</span>}
      </span>
    </label>
  )
}

/** Reads the scans only when the codes are to be deleted. */
function Effect({ orgId, folder }: { orgId: string; folder: Folder }) {
  const scans = useQuery(recentFolderScansQuery(orgId, folder.id))
  return <DeletionEffect count={folder.qrCodeCount} scans={scans} />
}
