import type { FieldProblem } from '@everscan/contract/problems/problem.ts'
import type { ImportedQrCode } from '@everscan/contract/resources/bulk-imports.ts'
import type { CodeForm } from '@everscan/contract/domains/code-forms.ts'
import type { Style } from '@everscan/contract/resources/styles.ts'
import type { MovedRow } from '../../catalogue/imports/import-chunks.ts'
import type { ImportRowErrorRow } from '../../catalogue/imports/imports.ts'
import type { Picture } from '../../catalogue/rows/qr-code-row.ts'
import type { ApiError } from '../../errors.ts'

/** The means of imports to judge rows and to draw codes, as the API does. */
export type RowMeans = {
  /** Returns every problem of the body that would create a code, in the words of the API. */
  check: (body: ImportedQrCode) => readonly FieldProblem[]
  /** Returns the picture to keep with a code. */
  draw: (code: { shortCode: string; domain: string }, style: Style) => Picture
  /** PUBLIC_URL's host name: rows name it for codes on no domain. */
  publicHost: string
  clock: () => number
}

/** A problem of a body. Its code is VALIDATION_ERROR unless it has another. */
export type BodyProblem = FieldProblem & { code?: string }

/** A row as a code: its body, and what the catalogue needs besides. */
export type CodeOfRow = {
  body: ImportedQrCode
  /** The name of its folder; undefined: it names none. */
  folder?: string | undefined
  /** The domain of the code; undefined: PUBLIC_URL. */
  domain: { id: string; hostname: string } | undefined
  /** How short codes are compared on its domain. */
  codes: CodeForm
  createdAtMs: number | undefined
  scansBefore?: number
}

export type ReadRow = {
  /** With the repairs of its cells. */
  row: MovedRow
  code: CodeOfRow
  /** Returns all problems of the row. `isTaken`: another code has its short code. */
  problems: (isTaken: boolean) => readonly BodyProblem[]
}

/** How a preset reads rows, and what it calls the parts of a body. */
export type RowPreset = {
  read: (row: MovedRow) => ReadRow
  /** Says what a problem is about: `name` for people, and the column; null: the row as a whole. */
  place: (path: string, body: ImportedQrCode) => { name: string | null; column: string | null }
  /** The beginning of sentences about the row as a whole. */
  wholeRow: string
  /** Returns the problems of a row that the catalogue refused. */
  refusals: (error: ApiError) => readonly BodyProblem[]
}

/** A row that may become a code, or the error of a row that may not. */
export type JudgedRow = {
  row: MovedRow
  accepted?: CodeOfRow
  refused?: ImportRowErrorRow
  /** Returns the error of an accepted row that the catalogue refuses. */
  refuse: (error: ApiError) => ImportRowErrorRow
}
