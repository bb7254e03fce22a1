import { problem } from '../problems/local-problem.ts'
import type { Problem } from '../problems/problem.ts'
import { limits } from '../schema/limits.ts'

/** Products whose exports can be moved in; `csv` is any other. */
export const moveSources = [
  'bitly',
  'dub',
  'kutt',
  'shlink',
  'yourls',
  'shortio',
  'rebrandly',
  'csv',
] as const
export type MoveSource = (typeof moveSources)[number]

/** The parts of a link that move. `shortCode` may be a whole short URL in the file. */
export const moveFields = ['shortCode', 'destination', 'title', 'tags', 'createdAt', 'clicks'] as const
export type MoveField = (typeof moveFields)[number]

/** Fields without which a row is no link. */
export const requiredMoveFields: readonly MoveField[] = ['shortCode', 'destination']

/**
 * The columns that have each field, by their names in the file. Of several, the first cell that is
 * not empty counts.
 */
export type MoveMapping = Record<MoveField, string[]>

type Names = Readonly<Record<MoveField, readonly string[]>>

/** Names in any export, in lower case without spaces and punctuation, the most exact ones first. */
const anyNames: Names = {
  shortCode: [
    'shortcode',
    'keyword',
    'slashtag',
    'slug',
    'backhalf',
    'alias',
    'shorturl',
    'shortlink',
    'link',
    'path',
    'key',
  ],
  destination: [
    'destination',
    'destinationurl',
    'longurl',
    'originalurl',
    'targeturl',
    'target',
    'redirecturl',
    'url',
  ],
  title: ['title', 'linktitle', 'name', 'description'],
  tags: ['tags', 'labels', 'tag'],
  createdAt: ['createdat', 'datecreated', 'createddate', 'creationdate', 'created', 'timestamp', 'date'],
  clicks: ['clicks', 'totalclicks', 'visits', 'visitcount', 'visitscount', 'hits'],
}

/** Names that a product writes and others do not, or use for something else. */
const ownNames: Partial<Record<MoveSource, Partial<Names>>> = {
  // A link has a custom back-half in a column of its own, which is empty for others.
  bitly: {
    shortCode: ['customlink', 'custombitlink', 'custombitlinks', 'bitlink', 'link'],
    clicks: ['totalengagements', 'engagements', 'linkclicks'],
  },
  dub: { shortCode: ['key', 'shortlink', 'link'] },
  kutt: { shortCode: ['address', 'link'], title: ['description'] },
  // A page of its API has the sum of visits in an object.
  shlink: { clicks: ['visits', 'visitssummarytotal', 'visitscount'] },
  yourls: { shortCode: ['keyword', 'shorturl'], createdAt: ['timestamp'] },
  shortio: { shortCode: ['path', 'shorturl', 'secureshorturl'], clicks: ['humanclicks', 'totalclicks'] },
}

/** Folds a column name for comparison: `Long URL`, `long_url` and `longUrl` are the same. */
export function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

/**
 * Recognizes the columns of an export by their names. A field that `chosen` has keeps those columns
 * instead; an empty list leaves it out.
 */
export function mapMoveColumns(
  source: MoveSource,
  header: readonly string[],
  chosen: Partial<MoveMapping> = {},
): MoveMapping {
  const columns = new Map<string, string>()
  for (const name of header) if (!columns.has(folded(name))) columns.set(folded(name), name)
  const found = (field: MoveField) => {
    const names = new Set([...(ownNames[source]?.[field] ?? []), ...anyNames[field]])
    return [...names].flatMap((name) => columns.get(name) ?? []).slice(0, limits.moveColumnsPerFieldMax)
  }
  const mapped = moveFields.map((field) => [field, chosen[field] ?? found(field)] as const)
  return Object.fromEntries(mapped) as MoveMapping
}

/** Returns what is wrong with a mapping: columns that the file lacks, and required fields. */
export function mappingProblems(
  mapping: MoveMapping,
  header: readonly string[],
): ({ field: MoveField } & Problem)[] {
  return moveFields.flatMap((field) => {
    const missing = mapping[field].find((name) => !header.includes(name))
    if (missing !== undefined) return [{ field, ...problem('columnNotInFile', { column: missing }) }]
    if (mapping[field].length > 0 || !requiredMoveFields.includes(field)) return []
    return [{ field, ...problem('fieldWithoutColumn') }]
  })
}
