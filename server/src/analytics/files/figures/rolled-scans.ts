import { filterLists } from '../../figures/scan-filters.ts'
import { pathList } from '../parquet/file-sql.ts'
import {
  conditionOfRest,
  ownersSql,
  timeParams,
  timesSql,
  type FileScope,
  type FileSql,
} from './file-scope.ts'
import { relationOf, type ListedScans } from './listed-scans.ts'

const dayMs = 86_400_000

/** The scans of an organization in a period, divided. */
export type SplitScans = {
  /** A select of the rows of rollups with whole days (UTC): see `writeRollupSql`. */
  rolled: string
  /** A relation with all other scans, and possibly more. */
  rest: string
  params: Readonly<Record<string, number>>
}

/**
 * Divides the scans of an organization into those of whole days that rollups count, and all others.
 * Returns undefined if no rollup counts any, or if the scope is of less than the organization.
 */
export function splitByDays(
  { files, recent }: ListedScans,
  scope: Omit<FileScope, 'selection'>,
): SplitScans | undefined {
  const { organizationId, startMs, endMs } = scope
  const wholeFromMs = Math.ceil(startMs / dayMs) * dayMs
  const wholeUntilMs = Math.floor(endMs / dayMs) * dayMs
  if (!isOfAll(scope) || wholeFromMs >= wholeUntilMs) return undefined
  const isRolled = ({ fromMs, toMs, rollup }: ListedScans['files'][number]) =>
    fromMs < wholeUntilMs && toMs >= wholeFromMs && rollup?.owners.includes(organizationId) === true
  const rolled = files.filter(isRolled)
  if (rolled.length === 0) return undefined
  const others = { files: files.filter((file) => !isRolled(file)), recent }
  const ends = [
    { times: { startMs, endMs: wholeFromMs }, where: 'time < make_timestamp_ms($wholeFromMs)' },
    { times: { startMs: wholeUntilMs, endMs }, where: 'time >= make_timestamp_ms($wholeUntilMs)' },
  ].filter(({ times }) => times.startMs < times.endMs)
  return {
    rolled: `
      select *
      from ${rowsOfRollups(rolled)}
      where ${ownersSql} and kind <> 'code'
        and start_ms >= $wholeFromMs and start_ms < $wholeUntilMs`,
    rest: `(${[
      `select * from ${relationOf(others, scope)}`,
      ...ends.map(
        ({ times, where }) =>
          `select * from ${relationOf({ files: rolled, recent: undefined }, times)} where ${where}`,
      ),
    ].join('\nunion all by name\n')})`,
    params: { wholeFromMs, wholeUntilMs },
  }
}

/**
 * Returns a select of the scans of each code in a scope: rows of `id`, `scans` and `unique_scans`
 * by people, with possibly several for one code.
 */
export function scansByCodeSql(
  listed: ListedScans,
  scope: FileScope,
  times: keyof typeof timeParams = 'now',
): FileSql {
  const { organizationId, startMs, endMs } = scope
  const isWhole = ({ fromMs, toMs, rollup }: ListedScans['files'][number]) =>
    isOfAll(scope) && fromMs >= startMs && toMs < endMs && rollup?.owners.includes(organizationId) === true
  const rolled = listed.files.filter(isWhole)
  const rest = conditionOfRest(scope)
  const others = { ...listed, files: listed.files.filter((file) => !isWhole(file)) }
  const raw = `
    select qr_code_id as id, count(*) as scans, count(*) filter (where is_unique) as unique_scans
    from ${relationOf(others, scope)}
    where organization_id = $organizationId and ${timesSql(timeParams[times])} ${rest.sql} and class = 'human'
    group by qr_code_id`
  const counted = `
    select qr_code_id as id, scans, unique_scans
    from ${rowsOfRollups(rolled)}
    where organization_id = $organizationId and kind = 'code' and scans > 0 ${rest.sql}`
  const { start, end } = timeParams[times]
  return {
    sql: rolled.length === 0 ? raw : `${raw}\nunion all\n${counted}`,
    params: { organizationId, [start]: startMs, [end]: endMs, ...rest.params },
  }
}

/** Whether a scope is of all scans of some codes: what rollups tell apart by nothing else. */
function isOfAll({ filters, qrCodeId }: Pick<FileScope, 'filters' | 'qrCodeId'>): boolean {
  return qrCodeId === undefined && filterLists(filters).length === 0
}

function rowsOfRollups(files: ListedScans['files']): string {
  const paths = files.flatMap(({ rollup }) => (rollup === undefined ? [] : [rollup.path]))
  return `read_parquet(${pathList(paths)})`
}
