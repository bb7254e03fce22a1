import { closedOwnerOf } from '../../store/closed-owner.ts'
import { fileRollups } from '../figures/file-columns.ts'
import { quoted, rowsOfFiles } from '../parquet/file-sql.ts'

const dayMs = 86_400_000
/** The shortest unit of time of a rollup: all clocks of today differ by such units. */
export const quarterMs = 900_000
/**
 * A rollup counts an organization that has so many scans in its file: with fewer, the counts are
 * hardly fewer than the scans. A file with fewer has none.
 */
export const rolledScansMin = 50_000

/** The columns that a rollup counts by, besides the organization. */
const sets: readonly { kind: string; columns: readonly string[] }[] = [
  { kind: 'quarter', columns: ['quarter_ms'] },
  { kind: 'code', columns: ['qr_code_id'] },
  ...fileRollups.map(({ name, columns }) => ({ kind: name, columns: ['day_ms', ...columns] })),
]
const texts = [...new Set(sets.flatMap(({ columns }) => columns))].filter((name) => !name.endsWith('_ms'))

/**
 * Returns SQL that writes the rollup of a file, of organizations with so many scans and of the hits
 * on their closed codes: rows of `kind`, `organization_id`, `start_ms` (of a quarter hour or a day,
 * UTC), `scans` by people, `unique_scans`, `hits`, and what the kind counts by; all else is null.
 * Texts are as files have them, so figures can change what they make of them.
 */
export function writeRollupSql(from: string, to: string, scansMin: number = rolledScansMin): string {
  const rows = rowsOfFiles([from])
  // A column of each set that no other has.
  const kinds = sets.map(({ kind, columns }) => `when grouping(${columns.at(-1)}) = 0 then '${kind}'`)
  return `
    copy (
      select
        case ${kinds.join(' ')} end as kind, organization_id,
        coalesce(quarter_ms, day_ms, 0) as start_ms, ${texts.join(', ')},
        count(*) filter (where class = 'human') as scans,
        count(*) filter (where is_unique) as unique_scans, count(*) as hits
      from (
        select
          organization_id, class, is_unique, ${texts.join(', ')},
          ${startOf(quarterMs)} as quarter_ms, ${startOf(dayMs)} as day_ms
        from ${rows}
        where organization_id in (
          select unnest([organization_id, organization_id || ${quoted(closedOwnerOf(''))}])
          from ${rows} group by organization_id having count(*) >= ${scansMin}))
      group by grouping sets (${sets.map(({ columns }) => `(organization_id, ${columns.join(', ')})`).join(', ')})
      order by organization_id, kind, start_ms)
    to ${quoted(to)} (format parquet, compression zstd)`
}

function startOf(unitMs: number): string {
  return `epoch_ms(time) // ${unitMs} * ${unitMs}`
}
