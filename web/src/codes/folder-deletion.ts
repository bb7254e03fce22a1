import { EverscanError, type Folder } from '@everscan/client/create-client.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { api } from '../session/api.ts'
import { showProblem } from '../ui/problems.ts'
import { showToast } from '../ui/toasts.ts'
import { deletionWords } from '../words/bin-words.ts'
import { bulkWords, foldersWords } from '../words/codes-words.ts'
import { codesText, refreshCodes } from './code-changes.ts'

/** Codes of a folder up to which its deletion can be undone: their ids are read before. */
const undoneCodesMax = 10_000

/**
 * Deletes a folder, with its codes if asked to, reports it and offers undo. Its subfolders move to
 * the top.
 */
export async function deleteFolder(
  orgId: string,
  folder: Folder,
  { subfolders, withCodes }: { subfolders: readonly Folder[]; withCodes: boolean },
): Promise<void> {
  const canUndo = folder.qrCodeCount <= undoneCodesMax
  const inside = withCodes || canUndo ? await codesIn(orgId, folder.id) : []
  const ids = withCodes ? await moveToBin(orgId, inside) : inside
  await api.folders.delete(orgId, folder.id)
  void refreshCodes()
  const undo = async () => {
    const { id } = await api.folders.create(orgId, { name: folder.name, parentId: folder.parentId })
    for (const child of subfolders) await api.folders.update(orgId, child.id, { parentId: id })
    if (withCodes) await restoreParts(orgId, ids)
    for (const part of partsOf(ids)) await api.batches.update(orgId, part, { folderId: id })
    showToast({ text: bulkWords.done.undone, kind: 'good' })
  }
  showToast({
    text: withCodes
      ? foldersWords.deletedWith(folder.name, codesText(ids.length))
      : foldersWords.deleted(folder.name),
    kind: 'good',
    ...(canUndo && {
      undo: () =>
        void undo()
          .catch(showProblem)
          .finally(() => void refreshCodes()),
    }),
  })
}

/**
 * Moves codes to the bin and returns the moved ones. If one cannot be moved, reports how to restore
 * the others and rejects, so that its folder remains.
 */
async function moveToBin(orgId: string, ids: readonly string[]): Promise<string[]> {
  const moved: string[] = []
  try {
    for (const part of partsOf(ids)) {
      const { data, errors } = await api.batches.delete(orgId, part, { bin: true })
      moved.push(...data.map(({ id }) => id))
      // A code that was deleted elsewhere meanwhile is in the desired state.
      const failed = errors.find(({ code }) => code !== 'NOT_FOUND')
      if (failed !== undefined) throw new EverscanError(failed.error, { status: 409, code: 'CONFLICT' })
    }
    return moved
  } catch (error) {
    if (moved.length > 0)
      showToast({
        text: deletionWords.deleted(codesText(moved.length)),
        kind: 'good',
        undo: () =>
          void restoreParts(orgId, moved)
            .catch(showProblem)
            .finally(() => void refreshCodes()),
      })
    void refreshCodes()
    throw error
  }
}

async function restoreParts(orgId: string, ids: readonly string[]): Promise<void> {
  for (const part of partsOf(ids)) await api.bin.restoreMany(orgId, part)
}

async function codesIn(orgId: string, folderId: string): Promise<string[]> {
  const ids: string[] = []
  for await (const { id } of api.qrCodes.iterate(orgId, { folderId })) ids.push(id)
  return ids
}

function partsOf(ids: readonly string[]): string[][] {
  const parts: string[][] = []
  for (let from = 0; from < ids.length; from += limits.batchMax)
    parts.push(ids.slice(from, from + limits.batchMax))
  return parts
}
