import type { BinnedQrCode } from '@everscan/client/create-client.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, queries } from '../session/api.ts'
import { showProblem } from '../ui/problems.ts'
import { showToast } from '../ui/toasts.ts'
import { binWords, deletionWords } from '../words/bin-words.ts'
import { codesText, refreshCodes, reportErrors } from './code-changes.ts'

/** Number of codes from which their number must be typed before they are deleted. */
export const typedFrom = 20

export const binQuery = (orgId: string, { page, search }: { page: number; search: string }) =>
  queryOptions({
    queryKey: ['bin', orgId, page, search],
    queryFn: async ({ signal }) =>
      api.bin.list(orgId, { page, limit: 50, ...(search !== '' && { search }) }, { signal }),
    placeholderData: keepPreviousData,
  })

/**
 * Moves codes to the bin, reports it and offers undo. Rejects if nothing was done. Returns the
 * codes that were deleted.
 */
export async function deleteCodes(orgId: string, codes: readonly QrCode[]): Promise<QrCode[]> {
  const ids = codes.map(({ id }) => id)
  const { data, errors } = await api.batches.delete(orgId, ids, { bin: true })
  // A code that was deleted elsewhere meanwhile is in the desired state.
  reportErrors(
    codes,
    errors.filter(({ code }) => code !== 'NOT_FOUND'),
  )
  const deleted = new Set(data.map(({ id }) => id))
  const gone = codes.filter(({ id }) => deleted.has(id))
  if (gone.length > 0)
    showToast({
      text: deletionWords.deleted(codesText(gone.length)),
      kind: 'good',
      undo: () => void restoreCodes(orgId, gone).catch(showProblem),
    })
  void rereadWithBin()
  return gone
}

/** Restores codes from the bin and reports it. Rejects if nothing was done. */
export async function restoreCodes(orgId: string, codes: readonly (QrCode | BinnedQrCode)[]): Promise<void> {
  const ids = codes.map(({ id }) => id)
  const { data, errors } = await api.bin.restoreMany(orgId, ids)
  reportErrors(codes, errors)
  if (data.length > 0)
    showToast({ text: binWords.restored(codesText(data.length), data.length === 1), kind: 'good' })
  void rereadWithBin()
}

/** Deletes codes in the bin for good and reports it. */
export async function purgeCodes(orgId: string, codes: readonly BinnedQrCode[]): Promise<void> {
  const ids = codes.map(({ id }) => id)
  const { data } = await api.bin.purgeMany(orgId, ids)
  if (data.length > 0) showToast({ text: binWords.purged(codesText(data.length)), kind: 'good' })
  void rereadWithBin()
}

async function rereadWithBin(): Promise<void> {
  await Promise.all([refreshCodes(), queries.invalidateQueries({ queryKey: ['bin'] })])
}
