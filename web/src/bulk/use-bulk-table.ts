import type { BatchError, TypedQrCode } from '@everscan/client/create-client.ts'
import { useMutation } from '@tanstack/react-query'
import { codesText, refreshCodes, reportErrors } from '../codes/code-changes.ts'
import { randomKey } from '../editor/use-code-editor.ts'
import { api } from '../session/api.ts'
import { formatNumber } from '../ui/format.ts'
import { showProblem } from '../ui/problems.ts'
import { showToast } from '../ui/toasts.ts'
import { tableWords } from '../words/bulk-table-words.ts'
import { readRows, type BulkTable } from './bulk-queries.ts'
import {
  changedFields,
  restoring,
  rowProblems,
  updatesOf,
  type BulkField,
  type BulkRow,
} from './bulk-rows.ts'
import { useBulkRows, type BulkRows } from './use-bulk-rows.ts'

/** A change that was saved, and the ETag of the code since then. */
type Saved = { before: TypedQrCode; fields: readonly BulkField[]; etag: string }

/** Returns the rows of the table, and functions that change and save them. */
export function useBulkTable(orgId: string, start: BulkTable) {
  const { dropChanges, renew, refuse, ...table } = useBulkRows(start)
  const { rows, setCells } = table
  const changed = rows.filter((row) => changedFields(row).length > 0)
  const cells = changed.reduce((sum, row) => sum + changedFields(row).length, 0)
  const badCells = changed.reduce((sum, row) => sum + Object.keys(rowProblems(row)).length, 0)
  const save = useMutation({
    mutationFn: async () => {
      const { saved, errors } = await saveRows(orgId, changed, renew)
      if (saved.length > 0)
        showToast({
          text: tableWords.done(codesText(saved.length)),
          kind: 'good',
          undo: () => void undoSave(orgId, saved, renew),
        })
      if (errors.length > 0) {
        showToast({ text: tableWords.left(errors.length, formatNumber(errors.length)), kind: 'problem' })
        const theirs = await readOvertaken(orgId, { errors, styles: start.styles })
        // It has the English of every problem.
        const { refusalText } = await import('./refusal-text.ts')
        for (const error of errors)
          refuse(error, { why: refusalText(error), theirs: theirs.get(error.id ?? '') })
        requestAnimationFrame(() =>
          document.querySelector('[data-row] [role=alert]')?.scrollIntoView({ block: 'center' }),
        )
      }
      void refreshCodes()
    },
    onError: showProblem,
  })
  return {
    ...table,
    cells,
    badCells,
    changedRows: changed.length,
    isSaving: save.isPending,
    save: () => save.mutate(),
    discard: () => {
      const lost = changed.flatMap((row) =>
        changedFields(row).map((field) => ({ id: row.code.id, field, value: row.changes[field] ?? '' })),
      )
      dropChanges()
      showToast({ text: tableWords.discarded, kind: 'good', undo: () => setCells(lost) })
    },
  }
}

type Renew = BulkRows['renew']

async function saveRows(orgId: string, sent: readonly BulkRow[], renew: Renew) {
  const { data, etags, errors } = await api.batches.change(
    orgId,
    sent.map((row) => ({ id: row.code.id, updates: updatesOf(row), ifMatch: row.etag })),
    { idempotencyKey: randomKey() },
  )
  renew({ codes: data, etags, sent })
  const sentById = new Map(sent.map((row) => [row.code.id, row]))
  const saved = data.flatMap(({ id }, index): Saved[] => {
    const row = sentById.get(id)
    return row === undefined
      ? []
      : [{ before: row.code, fields: changedFields(row), etag: etags[index] ?? '' }]
  })
  return { saved, errors }
}

async function undoSave(orgId: string, saved: readonly Saved[], renew: Renew): Promise<void> {
  try {
    const { data, etags, errors } = await api.batches.change(
      orgId,
      saved.map(({ before, fields, etag }) => ({
        id: before.id,
        updates: restoring(before, fields),
        ifMatch: etag,
      })),
    )
    renew({ codes: data, etags, sent: [] })
    reportErrors(
      saved.map(({ before }) => before),
      errors,
    )
    if (data.length > 0) showToast({ text: tableWords.undone, kind: 'good' })
  } catch (error) {
    showProblem(error)
  }
  void refreshCodes()
}

/** Returns the codes that another user changed before this save, by id. */
async function readOvertaken(
  orgId: string,
  { errors, styles }: Pick<BulkTable, 'styles'> & { errors: readonly BatchError[] },
) {
  const ids = errors.flatMap(({ id, code }) =>
    code === 'PRECONDITION_FAILED' && id !== undefined ? [id] : [],
  )
  const rows = await readRows(orgId, { ids, styles })
  return new Map(rows.map(({ code, etag }) => [code.id, { code, etag }]))
}
