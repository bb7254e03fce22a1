import type { BatchError, TypedQrCode } from '@everscan/client/create-client.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { codesText, refreshCodes, reportErrors } from '../codes/code-changes.ts'
import { plainProblem } from '../editor/code-drafts.ts'
import { randomKey } from '../editor/use-code-editor.ts'
import { api } from '../session/api.ts'
import { formatNumber } from '../ui/format.ts'
import { showProblem } from '../ui/problems.ts'
import { showToast } from '../ui/toasts.ts'
import { tableWords } from '../words/bulk-table-words.ts'
import { readRows, type BulkTable } from './bulk-queries.ts'
import {
  bulkRow,
  changedFields,
  restoring,
  rowProblems,
  updatesOf,
  withCell,
  type BulkField,
  type BulkRow,
} from './bulk-rows.ts'

/** A new value of a cell. */
export type CellValue = { id: string; field: BulkField; value: string }

/** A change that was saved, and the ETag of the code since then. */
type Saved = { before: TypedQrCode; fields: readonly BulkField[]; etag: string }

/** Returns the rows of the table, and functions that change and save them. */
export function useBulkTable(orgId: string, { rows: start, styles }: BulkTable) {
  const [rows, setRows] = useState<readonly BulkRow[]>(start)
  const changed = rows.filter((row) => changedFields(row).length > 0)
  const cells = changed.reduce((sum, row) => sum + changedFields(row).length, 0)
  const badCells = changed.reduce((sum, row) => sum + Object.keys(rowProblems(row)).length, 0)

  const change = (id: string, next: (row: BulkRow) => BulkRow) =>
    setRows((now) => now.map((row) => (row.code.id === id ? next(row) : row)))
  const setCells = (values: readonly CellValue[]) => {
    const byId = Map.groupBy(values, ({ id }) => id)
    setRows((now) =>
      now.map((row) =>
        (byId.get(row.code.id) ?? []).reduce((next, { field, value }) => withCell(next, field, value), row),
      ),
    )
  }
  /** Shows codes as they are now. Cells that differ from what was sent stay changed. */
  const renew = (codes: readonly TypedQrCode[], etags: readonly string[], sent: readonly BulkRow[]) => {
    const renewed = new Map(codes.map((code, index) => [code.id, bulkRow(code, etags[index] ?? '', styles)]))
    const sentById = new Map(sent.map((row) => [row.code.id, row]))
    setRows((now) =>
      now.map((row) => {
        const next = renewed.get(row.code.id)
        if (next === undefined) return row
        const old = sentById.get(row.code.id)?.changes ?? {}
        const later = changedFields(row).filter((field) => row.changes[field] !== old[field])
        return later.reduce((one, field) => withCell(one, field, row.changes[field] ?? ''), next)
      }),
    )
  }

  const undo = async (saved: readonly Saved[]) => {
    try {
      const { data, etags, errors } = await api.batches.change(
        orgId,
        saved.map(({ before, fields, etag }) => ({
          id: before.id,
          updates: restoring(before, fields),
          ifMatch: etag,
        })),
      )
      renew(data, etags, [])
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

  /** Shows in each row why it was not saved. */
  const tellErrors = async (errors: readonly BatchError[]) => {
    const overtaken = errors.flatMap(({ id, code }) =>
      code === 'PRECONDITION_FAILED' && id !== undefined ? [id] : [],
    )
    const theirs = new Map(
      (await readRows(orgId, { ids: overtaken, styles })).map(({ code, etag }) => [code.id, { code, etag }]),
    )
    for (const { id = '', code, error } of errors) {
      const isGone = code === 'NOT_FOUND' || (code === 'PRECONDITION_FAILED' && !theirs.has(id))
      change(id, (row) => ({
        ...row,
        isGone,
        theirs: theirs.get(id),
        problem:
          isGone || theirs.has(id)
            ? undefined
            : plainProblem(error.replace(/^changes\[\d+\]\.updates\.[\w.]+: /, '')),
      }))
    }
  }

  const save = useMutation({
    mutationFn: async () => {
      const sent = changed
      const { data, etags, errors } = await api.batches.change(
        orgId,
        sent.map((row) => ({ id: row.code.id, updates: updatesOf(row), ifMatch: row.etag })),
        { idempotencyKey: randomKey() },
      )
      renew(data, etags, sent)
      const sentById = new Map(sent.map((row) => [row.code.id, row]))
      const saved = data.flatMap(({ id }, index): Saved[] => {
        const row = sentById.get(id)
        return row === undefined
          ? []
          : [{ before: row.code, fields: changedFields(row), etag: etags[index] ?? '' }]
      })
      if (saved.length > 0)
        showToast({
          text: tableWords.done(codesText(saved.length)),
          kind: 'good',
          undo: () => void undo(saved),
        })
      if (errors.length > 0) {
        showToast({ text: tableWords.left(errors.length, formatNumber(errors.length)), kind: 'problem' })
        await tellErrors(errors)
        requestAnimationFrame(() =>
          document.querySelector('[data-row] [role=alert]')?.scrollIntoView({ block: 'center' }),
        )
      }
      void refreshCodes()
    },
    onError: showProblem,
  })

  return {
    rows,
    cells,
    badCells,
    changedRows: changed.length,
    isSaving: save.isPending,
    save: () => save.mutate(),
    setCells,
    addRows: (added: readonly BulkRow[]) => setRows((now) => [...now, ...added]),
    discard: () => {
      const lost = changed.flatMap((row) =>
        changedFields(row).map((field) => ({ id: row.code.id, field, value: row.changes[field] ?? '' })),
      )
      setRows((now) => now.map((row) => ({ ...row, changes: {}, problem: undefined })))
      showToast({ text: tableWords.discarded, kind: 'good', undo: () => setCells(lost) })
    },
    removeRow: (id: string) => setRows((now) => now.filter((row) => row.code.id !== id)),
    /** After another user's change: shows their version. */
    takeTheirs: (id: string) =>
      change(id, (row) => (row.theirs ? bulkRow(row.theirs.code, row.theirs.etag, styles) : row)),
    /** After another user's change: puts the changes made here over their version. */
    keepMine: (id: string) =>
      change(id, (row) =>
        row.theirs === undefined
          ? row
          : changedFields(row).reduce(
              (next, field) => withCell(next, field, row.changes[field] ?? ''),
              bulkRow(row.theirs.code, row.theirs.etag, styles),
            ),
      ),
  }
}
