import type { ScanStore } from '../analytics/scan-store.ts'
import type { Database } from '../db/database.ts'
import type { Config } from '../settings/settings.ts'
import type { StyleWork } from './styles/style-work.ts'

/** The dependencies of the product, which each of its doors brings. */
export type ProductContext = {
  db: Database
  store: ScanStore
  config: Pick<
    Config,
    | 'dataDir'
    | 'publicUrl'
    | 'rootUrl'
    | 'securityContact'
    | 'rateLimitPerMinute'
    | 'retentionDays'
    | 'webhookAllowPrivate'
    | 'privateDomains'
    | 'trustProxy'
    | 'backupDir'
    | 'backupEveryHours'
    | 'backupKeep'
    | 'backupPassphraseFile'
    | 'geoipCityV4'
    | 'geoipCityV6'
    | 'mailsPerAccountPerDay'
    | 'mailsPerInstallationPerDay'
  >
  /** Checks of styles for this request. */
  work: StyleWork
  clock: () => number
}
