import { countCodes, rankCodes } from './figures/code-tables.ts'
import { mostScannedQrCodes, organizationAnalytics, qrCodeAnalytics } from './figures/queries.ts'
import { archiveScans, scanMonths, scannedCodes, scannedIds } from './figures/scan-archive.ts'
import { exportScans, exportScansOfCodes } from './figures/scan-export.ts'
import { listScans } from './figures/scan-lists.ts'
import { matrixSides } from './figures/scan-matrix.ts'
import { replayScans } from './figures/scan-replay.ts'
import type { SqlScope } from './figures/scan-scope.ts'
import { storeIds, type StoredSelection } from './figures/selections.ts'
import { rememberIds } from './remembered-ids.ts'
import type { ScanScope, ScanStore, Selection } from './scan-store.ts'
import type { ClickHouse } from './store/clickhouse.ts'
import { readRewrite } from './store/rewrites.ts'

/** The scans in ClickHouse, and its connection for what only it has. */
export type ClickHouseScans = ScanStore & { readonly server: ClickHouse }

/** The functions of these names are documented where `ScanStore` has them. */
export function clickHouseScans(server: ClickHouse): ClickHouseScans {
  const idsOf = rememberIds((codes) => storeIds(server, codes))
  const stored = async (selection: Selection | undefined): Promise<StoredSelection | undefined> =>
    selection && { mode: selection.mode, ids: await idsOf(selection.codes) }
  const sqlOf = async (scope: ScanScope): Promise<SqlScope> => ({
    ...scope,
    selection: await stored(scope.selection),
  })
  return {
    server,
    qrCodeAnalytics: (options) => qrCodeAnalytics(server, options),
    organizationAnalytics: async (options) =>
      organizationAnalytics(server, { ...options, selection: await stored(options.selection) }),
    mostScannedQrCodes: async (scope, page) => mostScannedQrCodes(server, await sqlOf(scope), page),
    matrixSides: async (scope, dimensions) => matrixSides(server, await sqlOf(scope), dimensions),
    rankCodes: async ({ scope, codes, ...ranking }) =>
      rankCodes(server, {
        ...ranking,
        scope: await sqlOf(scope),
        ...(codes !== undefined && { codes: await idsOf(codes) }),
      }),
    countCodes: async ({ scope, ...options }) =>
      countCodes(server, { ...options, scope: await sqlOf(scope) }),
    listScans: (options) => listScans(server, options),
    exportScans: (scope) => exportScans(server, scope),
    exportScansOfCodes: (scope, codes) => exportScansOfCodes(server, scope, codes),
    replayScans: (scope, options) => replayScans(server, scope, options),
    scannedCodes: (organizationId) => scannedCodes(server, organizationId),
    scanMonths: (scope) => scanMonths(server, scope),
    archiveScans: (scope) => archiveScans(server, scope),
    scannedIds: (ids) => scannedIds(server, ids),
    readRewrite: () => readRewrite(server),
    ping: () => server.ping(),
    close: () => server.close(),
  }
}
