import { onlyLists } from '@everscan/contract/dimensions/answered-lists.ts'
import { filterDimensions } from '@everscan/contract/dimensions/dimensions.ts'
import type { OrganizationAnalytics, QrCodeAnalytics } from '@everscan/contract/resources/analytics.ts'
import { ruleValues } from '@everscan/contract/views/rule-values.ts'
import type { SharedView, ViewQuery } from '@everscan/contract/views/views.ts'
import { readFolder } from '../../catalogue/codes/folders.ts'
import { readQrCode } from '../../catalogue/codes/qr-codes.ts'
import { readOrganization } from '../../catalogue/organizations/organizations.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import type { ViewRow } from '../../catalogue/views/view-rows.ts'
import type { Database } from '../../db/database.ts'
import { timestamp } from '../records/timestamps.ts'
import { readOrganizationFigures, readQrCodeFigures, ruleNamesOf } from '../figures/read-figures.ts'
import { splitSelection } from '../figures/selections.ts'
import type { ProductContext } from '../product-context.ts'
import { resolveViewQuery, type ResolvedQuery } from './view-queries.ts'

type Sources = Pick<ProductContext, 'db' | 'store'>
type Figures = {
  figures: QrCodeAnalytics | OrganizationAnalytics
  /** The code, if the figures are of one. */
  qrCode: Pick<QrCodeRow, 'name' | 'rules' | 'formerRules'> | undefined
}

/**
 * Reads what readers of a view see, who may be outside of the organization: sums without
 * identifiers, never single scans. Returns undefined if its code was deleted.
 */
export async function readViewFigures(
  sources: Sources,
  { organizationId, name, query }: ViewRow,
  nowMs: number,
): Promise<SharedView | undefined> {
  const { db } = sources
  const organization = await readOrganization(db, organizationId)
  if (organization === undefined) return undefined
  const code =
    query.qrCodeId === undefined ? undefined : await readQrCode(db, { organizationId, id: query.qrCodeId })
  if (query.qrCodeId !== undefined && code === undefined) return undefined
  const sinceMs = code?.createdAtMs ?? organization.createdAtMs
  const resolved = resolveViewQuery(query, { sinceMs, nowMs })
  const read = await readFigures(sources, organizationId, { query, resolved, nowMs })
  if (read === undefined) return undefined
  const { figures, qrCode } = read
  const { period, summary, timeline, hours, marks } = figures
  return {
    name,
    organization: {
      name: organization.publicName ?? organization.name,
      logo: organization.logo?.dataUri ?? null,
    },
    asOf: timestamp(nowMs),
    scope: await scopeOf(db, organizationId, { query, qrCode }),
    days: resolved.days,
    timezone: resolved.timezone,
    interval: resolved.interval,
    period,
    summary,
    timeline,
    ...onlyLists(figures),
    hours,
    marks,
    ...('destinations' in figures && destinationsOf(figures)),
    ...('topQrCodes' in figures && {
      topQrCodes: figures.topQrCodes.map(({ qrCodeId: _qrCodeId, shortCode: _shortCode, ...shown }) => shown),
    }),
  }
}

async function readFigures(
  sources: Sources,
  organizationId: string,
  { query: { qrCodeId }, resolved, nowMs }: { query: ViewQuery; resolved: ResolvedQuery; nowMs: number },
): Promise<Figures | undefined> {
  const { query } = resolved
  if (qrCodeId === undefined) {
    const figures = await readOrganizationFigures(sources, organizationId, { query, nowMs })
    return { figures, qrCode: undefined }
  }
  const found = await readQrCodeFigures(sources, { organizationId, id: qrCodeId }, { query, nowMs })
  return found && { figures: found.figures, qrCode: found.row }
}

/** Says in names which codes and scans the figures count. */
async function scopeOf(
  db: Database,
  organizationId: string,
  { query, qrCode }: Pick<Figures, 'qrCode'> & { query: ViewQuery },
): Promise<SharedView['scope']> {
  const { folderId, tag, type, ids } = query
  const names = qrCode === undefined ? {} : ruleNamesOf(qrCode)
  const given = filterDimensions.map((name) => [
    name,
    name === 'rule' ? query.rule?.map((value) => namedFilter(value, names)) : query[name],
  ])
  // A deleted folder has no name; it selects no code.
  const folder =
    folderId === undefined || folderId === 'none'
      ? undefined
      : await readFolder(db, { organizationId, id: folderId })
  return {
    ...(qrCode !== undefined && { qrCode: qrCode.name }),
    ...(folderId !== undefined && { folder: folderId === 'none' ? null : (folder?.name ?? '') }),
    ...(tag !== undefined && { tags: tag }),
    ...(type !== undefined && { type }),
    ...(ids !== undefined && { qrCodes: splitSelection({ ids }).selected.ids?.length ?? 0 }),
    filters: Object.fromEntries(given.filter(([, values]) => values !== undefined)),
  }
}

/** Returns scans by rule, if rules answered any of them. */
function destinationsOf({ destinations }: QrCodeAnalytics): Pick<SharedView, 'destinations'> {
  if (destinations.every(({ ruleId }) => ruleId === null)) return {}
  return {
    destinations: destinations.map(({ ruleId, name, ...counted }) => ({
      name: ruleId === null ? null : (name ?? ruleValues.unknown),
      ...counted,
    })),
  }
}

/** Returns a value of the filter `rule` with the name of the rule, in place of its id. */
function namedFilter(value: string, names: Readonly<Record<string, string>>): string {
  const isNot = value.startsWith('!')
  const id = isNot ? value.slice(1) : value
  const name = id === ruleValues.none ? id : (names[id] ?? ruleValues.unknown)
  return isNot ? `!${name}` : name.replace(/^!/, '\\!')
}
