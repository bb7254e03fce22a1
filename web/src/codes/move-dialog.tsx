import { useMutation, useQuery } from '@tanstack/react-query'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { useState, type FormEvent } from 'react'
import { api, queries } from '../session/api.ts'
import { changeCodes, codesText } from './code-changes.ts'
import { foldersQuery, folderTree } from './folders.ts'
import { problemText } from '../ui/problems.ts'
import { bulkWords } from '../words/codes-words.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { FolderChoice } from './folder-choice.tsx'
import { Notice } from '../ui/surfaces.tsx'

const text = bulkWords

type Props = {
  orgId: string
  codes: readonly QrCode[]
  onClose: () => void
  onChanged: (codes: readonly QrCode[]) => void
}

/** Moves codes to a folder with one press, or to a new folder. */
export function MoveDialog({ orgId, codes, onClose, onChanged }: Props) {
  const folders = useQuery(foldersQuery(orgId))
  const [name, setName] = useState('')
  const moveTo = async (folderId: string | null, folderName: string | undefined) =>
    changeCodes(orgId, codes, {
      updates: { folderId },
      done: (count) =>
        folderName === undefined
          ? text.done.unfiled(codesText(count))
          : text.done.moved(codesText(count), folderName),
      onChanged,
    })
  const move = useMutation({
    mutationFn: async (id: string | null) =>
      moveTo(id, folders.data?.find((folder) => folder.id === id)?.name),
    onSuccess: onClose,
  })
  const create = useMutation({
    mutationFn: async () => {
      const folder = await api.folders.create(orgId, { name })
      await queries.invalidateQueries({ queryKey: ['folders'] })
      await moveTo(folder.id, folder.name)
    },
    onSuccess: onClose,
  })
  const [first] = codes
  const isOneFolder = codes.every(({ folderId }) => folderId === first?.folderId)
  const problem = move.error ?? folders.error
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <Dialog title={text.move.title(codesText(codes.length))} onClose={onClose}>
      {problem !== null && <Notice kind="problem">{problemText(problem)}</Notice>}
      <FolderChoice
        branches={folderTree(folders.data ?? [])}
        none={text.move.none}
        current={isOneFolder ? first?.folderId : undefined}
        busy={move.isPending || folders.isPending}
        onChoose={(id) => move.mutate(id)}
      />
      <form className="mt-4 flex flex-wrap items-start gap-2 border-t border-line pt-4" onSubmit={submit}>
        <Field
          label={text.move.createLabel}
          required
          className="min-w-40 flex-1"
          value={name}
          onChange={(event) => setName(event.target.value)}
          problem={create.error === null ? undefined : problemText(create.error)}
        />
        <Button type="submit" busy={create.isPending} className="mt-[1.65rem]">
          {text.move.create}
        </Button>
      </form>
    </Dialog>
  )
}
