import type { Folder } from '@everscan/client/create-client.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api, queries } from '../session/api.ts'
import { DeleteFolderDialog } from './delete-folder-dialog.tsx'
import { moveFolder } from './dragging/folder-moves.ts'
import { foldersQuery, folderTree } from './folders.ts'
import { fieldProblem, problemText } from '../ui/problems.ts'
import { foldersWords } from '../words/codes-words.ts'
import { commonWords } from '../words/common-words.ts'
import { Dialog, FormButtons } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { FolderChoice } from './folder-choice.tsx'
import { Notice } from '../ui/surfaces.tsx'

const text = foldersWords

/** A task on folders. `parent` is the folder that contains the new one. */
export type FolderTask =
  | { do: 'create'; parent?: Folder }
  | { do: 'rename'; folder: Folder }
  | { do: 'move'; folder: Folder }
  | { do: 'delete'; folder: Folder }

type Props = {
  orgId: string
  task: FolderTask
  onClose: () => void
  /** Called after a folder was deleted. */
  onDeleted: (folder: Folder) => void
}

export function FolderDialog({ orgId, task, onClose, onDeleted }: Props) {
  switch (task.do) {
    case 'create':
    case 'rename':
      return <NameDialog orgId={orgId} task={task} onClose={onClose} />
    case 'move':
      return <MoveFolderDialog orgId={orgId} folder={task.folder} onClose={onClose} />
    case 'delete':
      return <DeleteFolderDialog orgId={orgId} folder={task.folder} onClose={onClose} onDeleted={onDeleted} />
    default:
      return task satisfies never
  }
}

const rereadFolders = async () => queries.invalidateQueries({ queryKey: ['folders'] })

type NameProps = { orgId: string; task: FolderTask & { do: 'create' | 'rename' }; onClose: () => void }

function NameDialog({ orgId, task, onClose }: NameProps) {
  const [name, setName] = useState(task.do === 'rename' ? task.folder.name : '')
  const save = useMutation({
    mutationFn: async () =>
      task.do === 'rename'
        ? api.folders.update(orgId, task.folder.id, { name })
        : api.folders.create(orgId, { name, ...(task.parent && { parentId: task.parent.id }) }),
    onSuccess: async () => {
      await rereadFolders()
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  const title =
    task.do === 'rename' ? text.renameTitle : task.parent ? text.createInside(task.parent.name) : text.create
  const problem = save.error === null ? undefined : fieldProblem(save.error, 'name')
  return (
    <Dialog title={title} onClose={onClose}>
      <form className="grid gap-4" onSubmit={submit}>
        <Field
          label={text.name}
          required
          autoFocus
          value={name}
          onChange={(event) => setName(event.target.value)}
          problem={problem ?? (save.error === null ? undefined : problemText(save.error))}
        />
        <FormButtons action={commonWords.save} busy={save.isPending} onClose={onClose} />
      </form>
    </Dialog>
  )
}

function MoveFolderDialog({
  orgId,
  folder,
  onClose,
}: {
  orgId: string
  folder: Folder
  onClose: () => void
}) {
  const folders = useQuery(foldersQuery(orgId))
  const move = useMutation({
    mutationFn: async (parentId: string | null) =>
      moveFolder(orgId, folder, folders.data?.find(({ id }) => id === parentId) ?? null),
    onSuccess: onClose,
  })
  const tops = folderTree(folders.data ?? [])
    .map((branch) => ({ folder: branch.folder, children: [] }))
    .filter((branch) => branch.folder.id !== folder.id)
  return (
    <Dialog title={text.moveTitle(folder.name)} onClose={onClose}>
      {move.error !== null && <Notice kind="problem">{problemText(move.error)}</Notice>}
      <FolderChoice
        branches={tops}
        none={text.top}
        current={folder.parentId}
        busy={move.isPending}
        onChoose={(id) => move.mutate(id)}
      />
    </Dialog>
  )
}
