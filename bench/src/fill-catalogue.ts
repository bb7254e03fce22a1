import { qrCodeTypes, type QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { inTransaction, type Database } from '@everscan/server/db/database.ts'
import { prepareDatabase } from '@everscan/server/db/migrations/migrate.ts'
import type { Log } from '@everscan/server/log.ts'
import { searchColumns } from '@everscan/server/catalogue/codes/search-columns.ts'
import { searchText } from '@everscan/server/catalogue/codes/search-text.ts'

/** The content of a filled organization, for queries with results. */
export type Filled = {
  folderIds: readonly string[]
  /** Most used first. */
  tags: readonly string[]
  /** Words of names, most used first. */
  words: readonly string[]
}

/** Makes a catalogue in a data directory, with one organization and its codes. */
export async function makeCatalogue(
  dataDir: string,
  { organizationId, codes, log }: { organizationId: string; codes: number; log: Log },
): Promise<void> {
  const db = await prepareDatabase({ databaseUrl: undefined, dataDir, log })
  await db.kysely
    .insertInto('organizations')
    .values({ id: organizationId, name: 'Bench', slug: 'bench', created_at_ms: 1, updated_at_ms: 1 })
    .execute()
  await fillCatalogue(db, organizationId, { to: codes })
  await db.close()
}

const rowsPerInsert = 500
const rowsPerTransaction = 20_000
const startMs = Date.UTC(2024, 0, 1)
const stepMs = 61_007

const things = ['Poster', 'Menu', 'Flyer', 'Business card', 'Window sticker', 'Table tent', 'Parcel', 'Badge']
const places = [
  'Berlin',
  'København',
  'São Paulo',
  'Zürich',
  'Łódź',
  'Oslo',
  'Wien',
  'Praha',
  'Lisboa',
  'Αθήνα',
]
const tags = Array.from({ length: 40 }, (_, i) => `tag-${i}`)
const folderCount = 200

/**
 * Writes codes like those of years of use: most are links, one in ten is archived, names have words
 * and numbers, tags differ greatly in use, folders hold a few thousand. Bypasses the API and its
 * checks, because a million codes should take minutes, not hours. Writes the rows from `from` to
 * `to` (exclusive); the same numbers give the same codes.
 */
export async function fillCatalogue(
  db: Database,
  organizationId: string,
  { from = 0, to }: { from?: number; to: number },
): Promise<Filled> {
  const folderIds = Array.from({ length: folderCount }, (_, i) => idOf('fld', i))
  if (from === 0) await insertFolders(db, organizationId, folderIds)
  for (let start = from; start < to; start += rowsPerTransaction) {
    const end = Math.min(to, start + rowsPerTransaction)
    await inTransaction(db, async (tx) => {
      for (let i = start; i < end; i += rowsPerInsert)
        await insertCodes(tx, organizationId, { from: i, to: Math.min(end, i + rowsPerInsert) })
    })
  }
  return { folderIds, tags, words: [...things, ...places] }
}

async function insertFolders(db: Database, organizationId: string, ids: readonly string[]): Promise<void> {
  const rows = ids.map((id, i) => ({
    organization_id: organizationId,
    id,
    parent_id: null,
    name: `Folder ${i}`,
    name_search: `folder ${i}`,
    created_at_ms: startMs,
    updated_at_ms: startMs,
  }))
  await db.kysely.insertInto('folders').values(rows).execute()
}

const codeOf = (i: number) => `B${i.toString(16).toUpperCase().padStart(9, '0')}`

async function insertCodes(
  tx: Database,
  organizationId: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const numbers = Array.from({ length: to - from }, (_, i) => from + i)
  const created = numbers.map((i) => ({
    canonical_code: codeOf(i),
    short_code: codeOf(i),
    organization_id: organizationId,
    qr_code_id: idOf('qr', i),
    created_at_ms: startMs + i * stepMs,
    deleted_at_ms: null,
  }))
  await tx.kysely.insertInto('short_codes').values(created).execute()
  const codes = numbers.map((i) => {
    const name = nameOf(i)
    const type = typeOf(i)
    const data = { url: `https://example.com/landing/${i}` }
    return {
      organization_id: organizationId,
      id: idOf('qr', i),
      canonical_code: codeOf(i),
      type,
      name,
      name_search: searchText(name),
      data: JSON.stringify(data),
      style: '{}',
      metadata: '{}',
      folder_id: mix(i, 4) % 3 === 0 ? null : idOf('fld', mix(i, 5) % folderCount),
      status: mix(i, 3) % 10 === 0 ? ('ARCHIVED' as const) : ('ACTIVE' as const),
      picture_version: 2,
      picture_mask: 3,
      version: 1,
      created_at_ms: startMs + i * stepMs,
      updated_at_ms: startMs + i * stepMs + (mix(i, 6) % 1_000_000_000),
      ...searchColumns({ name, type, data, tags: tagsOf(i), version: 1 }),
    }
  })
  await tx.kysely.insertInto('qr_codes').values(codes).execute()
  const counters = numbers.map((i) => ({
    organization_id: organizationId,
    qr_code_id: idOf('qr', i),
    total_scans: mix(i, 7) % 5_000,
    unique_scans: 0,
  }))
  await tx.kysely.insertInto('scan_counters').values(counters).execute()
  const tagged = numbers.flatMap((i) =>
    tagsOf(i).map((tag, position) => ({
      organization_id: organizationId,
      qr_code_id: idOf('qr', i),
      tag,
      position,
    })),
  )
  if (tagged.length > 0) await tx.kysely.insertInto('qr_code_tags').values(tagged).execute()
}

function nameOf(i: number): string {
  const thing = things[Math.min(mix(i, 1) % things.length, mix(i, 8) % things.length)] ?? ''
  return `${thing} ${places[mix(i, 2) % places.length]} ${mix(i, 9) % 1_000_000}`
}

/** Seven in ten are links. The rest is of all types. */
function typeOf(i: number): QrCodeType {
  return mix(i, 10) % 10 < 7 ? 'URL' : (qrCodeTypes[mix(i, 11) % qrCodeTypes.length] ?? 'URL')
}

/** Returns up to two tags. The first tags of the list are much more frequent. */
function tagsOf(i: number): string[] {
  const count = mix(i, 12) % 3
  const picked = Array.from({ length: count }, (_, n) => {
    const place = Math.floor(tags.length * ((mix(i, 13 + n) % 1000) / 1000) ** 4)
    return tags[place] ?? ''
  })
  return [...new Set(picked)]
}

/** Returns the short codes that redirect to a link. */
export async function filledRedirects(db: Database): Promise<string[]> {
  const rows = await db.kysely
    .selectFrom('qr_codes')
    .select('canonical_code')
    .where('status', '=', 'ACTIVE')
    .where('type', 'in', ['URL', 'PDF', 'VIDEO'])
    .execute()
  return rows.map((row) => row.canonical_code)
}

/** Returns the id of the code with this number. */
export function filledQrCodeId(i: number): string {
  return idOf('qr', i)
}

/** Returns the id of a filled folder. */
export const filledFolderId = (i: number): string => idOf('fld', i)

/** Returns the short code of a filled code. */
export const filledShortCode = (i: number): string => codeOf(i)

function idOf(prefix: 'qr' | 'fld', i: number): string {
  return `${prefix}_00${String(i).padStart(24, '0')}`
}

/** Returns a pseudo-random number that is the same each time: the finalizer of MurmurHash3. */
function mix(i: number, salt: number): number {
  let hash = Math.imul(i + 1, 0x9e3779b1) ^ Math.imul(salt, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
