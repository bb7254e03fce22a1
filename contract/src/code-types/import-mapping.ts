import type { QrCodeType } from './code-types.ts'
import { importColumns, importErrorColumns } from './import-columns.ts'

/**
 * The columns of a type by the names that a file has for them, in any letter case. null: the column
 * is ignored.
 */
export type ImportMapping = Readonly<Record<string, string | null>>

/**
 * A column of a file. `column` is its name in the type, null if it is ignored, and undefined if the
 * type has no such column. `repeated`: an earlier column of the file is the same one.
 */
export type ImportFileColumn = { name: string; column: string | null | undefined; repeated: boolean }

/** The columns of a file, and what is wrong with them. */
export type ImportHeader = {
  columns: ImportFileColumn[]
  /** Required columns that the file lacks. */
  missing: string[]
  /** Names in the mapping that the file does not have. */
  strays: string[]
}

/**
 * Identifies the columns of a file: by the mapping, or else by their own names. Letter case does
 * not matter.
 */
export function readImportHeader(
  type: QrCodeType,
  header: readonly string[],
  mapping: ImportMapping = {},
): ImportHeader {
  const known = importColumns(type)
  const byName = new Map<string, string | null>([
    ...known.map(({ name }) => [fold(name), name] as const),
    ...importErrorColumns.map((name) => [name, null] as const),
  ])
  const mapped = new Map(Object.entries(mapping).map(([name, column]) => [fold(name), column] as const))
  const seen = new Set<string>()
  const columns = header.map((written) => {
    const name = written.trim()
    const target = mapped.get(fold(name))
    const column = target === null ? null : byName.get(fold(target ?? name))
    const key = column ?? fold(name)
    const repeated = column !== undefined && target !== null && seen.has(key)
    if (column !== null) seen.add(key)
    return { name, column, repeated }
  })
  const missing = known.filter(({ name, required }) => required && !seen.has(name))
  const names = new Set(header.map(fold))
  return {
    columns,
    missing: missing.map(({ name }) => name),
    strays: Object.keys(mapping).filter((name) => !names.has(fold(name))),
  }
}

/**
 * Names that spreadsheets and other products use for a column, in lower case and without spaces,
 * underscores and hyphens. Only suggestions: the user sees and can change them.
 */
const usualNames: Readonly<Record<string, readonly string[]>> = {
  name: ['title', 'label', 'displayname', 'codename', 'titel', 'bezeichnung', 'nom', 'nombre'],
  url: ['link', 'destination', 'target', 'website', 'address', 'longurl', 'targeturl', 'ziel', 'adresse'],
  folder: ['group', 'campaign', 'category', 'project', 'ordner', 'dossier', 'carpeta'],
  domain: ['host', 'hostname', 'shortdomain', 'domaine', 'dominio'],
  tags: ['labels', 'tag', 'keywords', 'schlagworte'],
  firstName: ['givenname', 'forename', 'vorname', 'prenom'],
  lastName: ['surname', 'familyname', 'nachname', 'apellido'],
  email: ['mail', 'emailaddress', 'e-mailadresse'],
  phone: ['telephone', 'mobile', 'tel', 'phonenumber', 'telefon'],
  company: ['organization', 'organisation', 'firma'],
  ssid: ['network', 'networkname', 'wifi'],
  text: ['message', 'content', 'note'],
}

/**
 * Suggests columns of the type for columns of a file that have other names. A name that the type
 * has, and a column that is taken already, is not suggested.
 */
export function suggestImportMapping(type: QrCodeType, header: readonly string[]): ImportMapping {
  const { columns } = readImportHeader(type, header)
  const taken = new Set(columns.flatMap(({ column }) => column ?? []))
  const suggested: [string, string][] = []
  for (const { name, column } of columns) {
    if (column !== undefined) continue
    const plain = plainName(name)
    const found = importColumns(type).find(
      (one) =>
        !taken.has(one.name) &&
        (plainName(one.name) === plain || usualNames[one.name]?.map(plainName).includes(plain) === true),
    )
    if (found === undefined) continue
    taken.add(found.name)
    suggested.push([name, found.name])
  }
  return Object.fromEntries(suggested)
}

function fold(name: string): string {
  return name.trim().toLowerCase()
}

/** Removes accents, spaces and punctuation. */
function plainName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}
