import type { BatchError, TypedQrCode } from '@everscan/client/create-client.ts'
import { useState } from 'react'
import type { BulkTable } from './bulk-queries.ts'
import { bulkRow, changedFields, withCell, type BulkField, type BulkRow } from './bulk-rows.ts'

/** A new value of a cell. */
export type CellValue = { id: string; field: BulkField; value: string }

/** Codes as they are now. */
export type Renewed = {
  codes: readonly TypedQrCode[]
  etags: readonly string[]
  /** Rows of a request. Cells that differ from it stay changed. */
  sent: readonly BulkRow[]
}

type Refusal = { why: string; theirs: BulkRow['theirs'] }

export type BulkRows = ReturnType<typeof useBulkRows>

/** Holds the rows of the table while their cells change. */
export function useBulkRows({ rows: start, styles }: BulkTable) {
  const [rows, setRows] = useState<readonly BulkRow[]>(start)
  const change = (id: string, next: (row: BulkRow) => BulkRow) =>
    setRows((now) => now.map((row) => (row.code.id === id ? next(row) : row)))
  return {
    rows,
    setCells: (values: readonly CellValue[]) => {
      const byId = Map.groupBy(values, ({ id }) => id)
      setRows((now) =>
        now.map((row) =>
          (byId.get(row.code.id) ?? []).reduce((next, { field, value }) => withCell(next, field, value), row),
        ),
      )
    },
    /** Shows codes as they are now. */
    renew: (renewed: Renewed) => {
      const next = new Map(
        renewed.codes.map((code, at) => [code.id, bulkRow(code, renewed.etags[at] ?? '', styles)]),
      )
      const sent = new Map(renewed.sent.map((row) => [row.code.id, row]))
      setRows((now) =>
        now.map((row) => renewedRow(row, { next: next.get(row.code.id), sent: sent.get(row.code.id) })),
      )
    },
    /** Shows why a row was not saved. `theirs` is the code after the change of another user. */
    refuse: ({ id = '', code }: BatchError, { why, theirs }: Refusal) => {
      const isGone = code === 'NOT_FOUND' || (code === 'PRECONDITION_FAILED' && theirs === undefined)
      const problem = isGone || theirs !== undefined ? undefined : why
      change(id, (row) => ({ ...row, isGone, theirs, problem }))
    },
    addRows: (added: readonly BulkRow[]) => setRows((now) => [...now, ...added]),
    dropChanges: () => setRows((now) => now.map((row) => ({ ...row, changes: {}, problem: undefined }))),
    removeRow: (id: string) => setRows((now) => now.filter((row) => row.code.id !== id)),
    /** After another user's change: shows their version. */
    takeTheirs: (id: string) =>
      change(id, (row) => (row.theirs ? bulkRow(row.theirs.code, row.theirs.etag, styles) : row)),
    /** After another user's change: puts the changes made here over their version. */
    keepMine: (id: string) =>
      change(id, (row) =>
        row.theirs === undefined
          ? row
          : withChanges(bulkRow(row.theirs.code, row.theirs.etag, styles), row, changedFields(row)),
      ),
  }
}

type RenewedRow = { next: BulkRow | undefined; sent: BulkRow | undefined }

function renewedRow(row: BulkRow, { next, sent }: RenewedRow): BulkRow {
  if (next === undefined) return row
  const later = changedFields(row).filter((field) => row.changes[field] !== sent?.changes[field])
  return withChanges(next, row, later)
}

/** Returns a row with the changes of another one in some fields. */
function withChanges(row: BulkRow, from: BulkRow, fields: readonly BulkField[]): BulkRow {
  return fields.reduce((next, field) => withCell(next, field, from.changes[field] ?? ''), row)
}
