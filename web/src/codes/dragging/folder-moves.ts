import type { Folder } from '@everscan/client/create-client.ts'
import { api, queries } from '../../session/api.ts'
import { showProblem } from '../../ui/problems.ts'
import { showToast } from '../../ui/toasts.ts'
import { bulkWords, foldersWords } from '../../words/codes-words.ts'

/** Moves a folder into another one, or to the top level, reports it, and offers undo. */
export async function moveFolder(orgId: string, folder: Folder, parent: Folder | null): Promise<void> {
  const { id, name, parentId } = folder
  await api.folders.update(orgId, id, { parentId: parent?.id ?? null })
  await queries.invalidateQueries({ queryKey: ['folders'] })
  showToast({
    kind: 'good',
    text: parent === null ? foldersWords.movedToTop(name) : foldersWords.movedTo(name, parent.name),
    undo: () => void moveBack(orgId, { id, parentId }),
  })
}

async function moveBack(orgId: string, { id, parentId }: Pick<Folder, 'id' | 'parentId'>): Promise<void> {
  try {
    await api.folders.update(orgId, id, { parentId })
    showToast({ kind: 'good', text: bulkWords.done.undone })
  } catch (error) {
    showProblem(error)
  }
  await queries.invalidateQueries({ queryKey: ['folders'] })
}
