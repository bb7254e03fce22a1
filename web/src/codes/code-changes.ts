import type { BatchError, BatchUpdates } from '@everscan/client/create-client.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { bulkWords } from '../words/codes-words.ts'
import { api, queries } from '../session/api.ts'
import { formatNumber } from '../ui/format.ts'
import { showProblem } from '../ui/problems.ts'
import { showToast } from '../ui/toasts.ts'

const text = bulkWords
const namesShown = 3

export const codesText = (codes: number) => text.codes(codes, formatNumber(codes))

/** Reads everything again that shows codes or their number. */
export async function refreshCodes(): Promise<void> {
  await Promise.all(
    ['codes', 'folders', 'tags'].map(async (key) => queries.invalidateQueries({ queryKey: [key] })),
  )
}

type Told = {
  /** Returns the message for a number of changed codes. */
  done: (codes: number) => string
  /** Called with the codes as they are now, also after an undo. */
  onChanged: (codes: readonly QrCode[]) => void
}

/**
 * Makes the same change to codes, reports it, and offers undo. Reports failed codes by name.
 * Rejects if nothing was done.
 */
export async function changeCodes(
  orgId: string,
  codes: readonly QrCode[],
  { updates, done, onChanged }: Told & { updates: BatchUpdates },
): Promise<void> {
  const ids = codes.map(({ id }) => id)
  const { data, errors } = await api.batches.update(orgId, ids, updates)
  const changed = new Set(data.map(({ id }) => id))
  const before = codes.filter(({ id }) => changed.has(id))
  onChanged(data)
  reportErrors(codes, errors)
  if (before.length > 0)
    showToast({
      text: done(before.length),
      kind: 'good',
      undo: () => void takeBack(orgId, before, { updates, onChanged }),
    })
  void refreshCodes()
}

/**
 * Copies codes, reports it, and offers an undo that deletes the copies: none of them is printed
 * yet.
 */
export async function cloneCodes(orgId: string, codes: readonly QrCode[]): Promise<void> {
  const ids = codes.map(({ id }) => id)
  const { data, errors } = await api.batches.clone(orgId, ids)
  reportErrors(codes, errors)
  const copies = data.map(({ id }) => id)
  if (copies.length > 0)
    showToast({
      text: text.done.cloned(codesText(copies.length)),
      kind: 'good',
      undo: () => void told(async () => api.batches.delete(orgId, copies)),
    })
  void refreshCodes()
}

/** Reports which codes a batch left out, and why it left out the first. */
export function reportErrors(codes: readonly QrCode[], errors: readonly BatchError[]): void {
  const [first] = errors
  if (first === undefined) return
  const names = new Map(codes.map(({ id, name }) => [id, name]))
  const failed = errors.map(({ id = '' }) => names.get(id) ?? id)
  const shown = failed.slice(0, namesShown).join(', ')
  const more = failed.length - namesShown
  const listed = more > 0 ? text.andMore(shown, formatNumber(more)) : shown
  showToast({ text: text.failed(listed, first.error), kind: 'problem' })
}

async function takeBack(
  orgId: string,
  before: readonly QrCode[],
  { updates, onChanged }: Pick<Told, 'onChanged'> & { updates: BatchUpdates },
): Promise<void> {
  // Codes with the same previous values form one batch.
  const groups = new Map<string, { restore: BatchUpdates; codes: QrCode[] }>()
  for (const code of before) {
    const restore = restoring(code, updates)
    if (Object.keys(restore).length === 0) continue
    const key = JSON.stringify(restore)
    const group = groups.get(key) ?? { restore, codes: [] }
    group.codes.push(code)
    groups.set(key, group)
  }
  await told(async () => {
    for (const { restore, codes } of groups.values()) {
      const ids = codes.map(({ id }) => id)
      const { data, errors } = await api.batches.update(orgId, ids, restore)
      onChanged(data)
      reportErrors(codes, errors)
    }
  })
}

/** Returns the change that reverts `updates` on a code. */
function restoring(code: QrCode, updates: BatchUpdates): BatchUpdates {
  const added = (updates.addTags ?? []).filter((tag) => !code.tags.includes(tag))
  const removed = (updates.removeTags ?? []).filter((tag) => code.tags.includes(tag))
  return {
    ...(updates.status !== undefined && { status: code.status }),
    ...(updates.folderId !== undefined && { folderId: code.folderId }),
    ...(removed.length > 0 && { addTags: removed }),
    ...(added.length > 0 && { removeTags: added }),
  }
}

async function told(undo: () => Promise<unknown>): Promise<void> {
  try {
    await undo()
    showToast({ text: text.done.undone, kind: 'good' })
  } catch (error) {
    showProblem(error)
  }
  void refreshCodes()
}
