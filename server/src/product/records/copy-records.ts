import type { Copy } from '@everscan/contract/resources/installation.ts'
import type { CopyRow } from '../../catalogue/rows/copy-row.ts'
import { wholeDetail } from '../../catalogue/rows/named-problem.ts'
import { timestamp, timestampOrNull } from './timestamps.ts'

/** A copy of the installation as the API and its event return it. */
export function copyRecord(copy: CopyRow): Copy {
  const { id, state, madeAtMs, machine, path, bytes, checkedAtMs, verifiedAtMs, problem, counts } = copy
  const { found } = copy
  return {
    id,
    state,
    madeAt: timestamp(madeAtMs),
    machine,
    path,
    bytes,
    checkedAt: timestampOrNull(checkedAtMs),
    verifiedAt: timestampOrNull(verifiedAtMs),
    problem,
    problemDetails: found === undefined ? [] : [wholeDetail(found)],
    organizations: counts?.organizations ?? null,
    codes: counts?.codes ?? null,
    scans: counts?.scans ?? null,
  }
}
