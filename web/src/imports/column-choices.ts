import { foldedColumn, importColumnOf } from '@everscan/contract/code-types/import-columns.ts'
import {
  readImportHeader,
  suggestImportMapping,
  type ImportHeader,
  type ImportMapping,
} from '@everscan/contract/code-types/import-mapping.ts'
import { qrCodeTypes, type QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { isRecord } from '@everscan/contract/schema/records.ts'
import { keepColumns, readColumns } from '../session/kept/kept-columns.ts'

/** Names that are remembered for a type. */
const rememberedMax = 200

/**
 * Returns the columns that a file is imported with: as the user chose, or chose for an earlier file
 * with such names, or as their names suggest.
 */
export function mappingOf(
  { type, header, orgId }: { type: QrCodeType; header: readonly string[]; orgId: string },
  chosen: ImportMapping,
): ImportMapping {
  const named = new Map<string, string | null>(Object.entries(suggestImportMapping(type, header)))
  const names = new Map(header.map((name) => [foldedColumn(name), name.trim()] as const))
  for (const [name, column] of [...Object.entries(remembered(orgId, type)), ...Object.entries(chosen)]) {
    const inFile = names.get(foldedColumn(name))
    if (inFile === undefined) continue
    // One column of the file is one column of the type: a choice takes it from a suggestion.
    for (const [other, taken] of named)
      if (column !== null && taken === column && !(other in chosen)) named.delete(other)
    named.set(inFile, column)
  }
  return Object.fromEntries(named)
}

/**
 * Returns the type whose columns are most similar. The first wins a tie. A column of its name, or
 * of a name that the user chose before, counts for more than one of a similar name.
 */
export function guessType(orgId: string, header: readonly string[]): QrCodeType {
  const misfits = (type: QrCodeType) => {
    const names = new Set(header.map(foldedColumn))
    const known = Object.entries(remembered(orgId, type)).filter(([name]) => names.has(foldedColumn(name)))
    const own = unknownIn(readImportHeader(type, header, Object.fromEntries(known)))
    const read = readImportHeader(type, header, mappingOf({ type, header, orgId }, {}))
    const unknown = unknownIn(read)
    return unknown + read.missing.length + (own - unknown) / 2
  }
  return qrCodeTypes.reduce((best, type) => (misfits(type) < misfits(best) ? type : best))
}

const unknownIn = ({ columns }: ImportHeader) => columns.filter(({ column }) => column === undefined).length

/** Remembers how the user named the columns of this type, for the next file. */
export function rememberColumns(orgId: string, type: QrCodeType, mapping: ImportMapping): void {
  const kept = Object.entries({ ...remembered(orgId, type), ...mapping }).map(
    ([name, column]) => [foldedColumn(name), column] as const,
  )
  keepColumns({ orgId, type }, Object.fromEntries(kept.slice(-rememberedMax)))
}

function remembered(orgId: string, type: QrCodeType): ImportMapping {
  const kept = readColumns({ orgId, type })
  if (!isRecord(kept)) return {}
  const usable = Object.entries(kept).flatMap(([name, column]) =>
    column === null || (typeof column === 'string' && importColumnOf(type, column) === column)
      ? [[name, column] as const]
      : [],
  )
  return Object.fromEntries(usable)
}

/** Returns a mapping that also ignores every column that the type does not have. */
export function ignoringUnknown(
  type: QrCodeType,
  header: readonly string[],
  mapping: ImportMapping,
): ImportMapping {
  const { columns } = readImportHeader(type, header, mapping)
  const unknown = columns.flatMap(({ name, column }) => (column === undefined ? [[name, null] as const] : []))
  return Object.fromEntries(unknown)
}
