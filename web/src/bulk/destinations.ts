import { filledUtmValue } from '@everscan/contract/utm/utm-values.ts'
import { utmFields, type UtmField } from '@everscan/contract/utm/utm-templates.ts'
import { withScheme } from '../editor/content-schemas.ts'
import { cellOf, urlOf, type BulkRow } from './bulk-rows.ts'

/** A cell before and after a change that was not made yet. */
export type CellChange = { id: string; name: string; before: string; after: string }

/** Returns the destinations in which a text is found, before and after its replacement. */
export function replacedDestinations(
  rows: readonly BulkRow[],
  { find, replace, ignoreCase }: { find: string; replace: string; ignoreCase: boolean },
): CellChange[] {
  if (find === '') return []
  const pattern = new RegExp(find.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), ignoreCase ? 'giu' : 'gu')
  return changedDestinations(rows, (url) => url.replace(pattern, () => replace))
}

export type UtmMode = 'replace' | 'keep'

/** Returns the destinations that get UTM parameters, before and after. */
export function utmDestinations(
  rows: readonly BulkRow[],
  {
    values,
    mode,
    folderName,
  }: { values: Readonly<Record<UtmField, string>>; mode: UtmMode; folderName: (id: string) => string },
): CellChange[] {
  return changedDestinations(rows, (url, row) => {
    if (!URL.canParse(withScheme(url))) return url
    const folder = folderName(cellOf(row, 'folder'))
    const subject = { name: cellOf(row, 'name'), shortCode: row.code.shortCode, folder }
    return utmFields.reduce((changed, field) => {
      const value = filledUtmValue(values[field], subject)
      return value === '' ? changed : withParameter(changed, { name: `utm_${field}`, value, mode })
    }, url)
  })
}

function changedDestinations(
  rows: readonly BulkRow[],
  change: (url: string, row: BulkRow) => string,
): CellChange[] {
  return rows.flatMap((row) => {
    if (urlOf(row.code) === undefined) return []
    const before = cellOf(row, 'url')
    const after = change(before, row)
    return after === before ? [] : [{ id: row.code.id, name: cellOf(row, 'name'), before, after }]
  })
}

/** Sets a parameter of an address. The rest of the address stays as it is written. */
function withParameter(
  url: string,
  { name, value, mode }: { name: string; value: string; mode: UtmMode },
): string {
  const [, start = '', query = '', hash = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? []
  const parameters = query.split('&').filter((one) => one !== '')
  const isOther = (one: string) => one.split('=')[0] !== name
  if (mode === 'keep' && !parameters.every(isOther)) return url
  const written = `${name}=${encodeURIComponent(value)}`
  const first = parameters.findIndex((one) => !isOther(one))
  const others = parameters.filter(isOther)
  const next = first < 0 ? [...others, written] : others.toSpliced(first, 0, written)
  return `${start}?${next.join('&')}${hash}`
}
