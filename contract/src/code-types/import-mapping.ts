import type { QrCodeType } from './code-types.ts'
import { foldedColumn, importColumnOf, importColumns, importErrorColumns } from './import-columns.ts'

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
 * not matter, except for the keys of metadata.
 */
export function readImportHeader(
  type: QrCodeType,
  header: readonly string[],
  mapping: ImportMapping = {},
): ImportHeader {
  const known = importColumns(type)
  const mapped = new Map(
    Object.entries(mapping).map(([name, column]) => [foldedColumn(name), column] as const),
  )
  const seen = new Set<string>()
  const columns = header.map((written) => {
    const name = written.trim()
    const target = mapped.get(foldedColumn(name))
    const column = target === null ? null : columnNamed(type, target ?? name)
    const key = column ?? foldedColumn(name)
    const repeated = column !== undefined && target !== null && seen.has(key)
    if (column !== null) seen.add(key)
    return { name, column, repeated }
  })
  const missing = known.filter(({ name, required }) => required && !seen.has(name))
  const names = new Set(header.map(foldedColumn))
  return {
    columns,
    missing: missing.map(({ name }) => name),
    strays: Object.keys(mapping).filter((name) => !names.has(foldedColumn(name))),
  }
}

function columnNamed(type: QrCodeType, name: string): string | null | undefined {
  return isErrorColumn(name) ? null : importColumnOf(type, name)
}

const errorColumns: ReadonlySet<string> = new Set(importErrorColumns)
const isErrorColumn = (name: string): boolean => errorColumns.has(foldedColumn(name))

/**
 * Names that spreadsheets and other products use for a column, in lower case and without spaces,
 * underscores and hyphens. Only suggestions: the user sees and can change them.
 */
const usualNames: Readonly<Record<string, readonly string[]>> = {
  name: ['title', 'label', 'displayname', 'codename', 'titel', 'bezeichnung', 'nom', 'nombre'],
  url: ['link', 'destination', 'target', 'website', 'address', 'longurl', 'targeturl', 'ziel', 'adresse'],
  folder: ['group', 'campaign', 'category', 'project', 'ordner', 'dossier', 'carpeta'],
  shortCode: ['slug', 'code', 'backhalf', 'keyword', 'kurzcode', 'codecourt', 'codigocorto'],
  domain: ['host', 'hostname', 'shortdomain', 'domaine', 'dominio'],
  createdAt: ['created', 'datecreated', 'creationdate', 'createdon', 'erstelltam', 'creele', 'creadoel'],
  status: ['state', 'zustand', 'statut', 'estado'],
  tags: ['labels', 'tag', 'keywords', 'schlagworte'],
  firstName: ['givenname', 'forename', 'vorname', 'prenom'],
  lastName: ['surname', 'familyname', 'nachname', 'apellido'],
  email: ['mail', 'emailaddress', 'e-mailadresse'],
  phone: ['telephone', 'mobile', 'tel', 'phonenumber', 'telefon'],
  website: ['web', 'homepage', 'site', 'url', 'webseite', 'siteweb', 'sitioweb'],
  note: ['notes', 'comment', 'comments', 'notiz', 'bemerkung', 'remarque', 'nota'],
  'address.street': ['street', 'streetaddress', 'straße', 'strasse', 'rue', 'calle'],
  'address.city': ['city', 'town', 'ort', 'stadt', 'ville', 'ciudad'],
  'address.state': ['state', 'region', 'province', 'bundesland', 'provincia'],
  'address.zip': ['zip', 'zipcode', 'postcode', 'postalcode', 'plz', 'codepostal', 'codigopostal'],
  'address.country': ['country', 'land', 'pays', 'pais'],
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

/** Removes accents, spaces and punctuation. */
function plainName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
}
