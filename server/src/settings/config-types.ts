import type { StoreConfig } from './store-settings.ts'
import type { TlsConfig } from './tls-settings.ts'

export type JournalSync = 'always' | 'interval' | 'never'

/** All settings, read once. Only the table below knows their names, defaults and bounds. */
export type Config = StoreConfig &
  TlsConfig & {
    port: number
    host: string
    publicUrl: string
    /** The address that `/` leads to. Undefined: a page without content. */
    rootUrl: string | undefined
    /** For reports of vulnerabilities, in `/.well-known/security.txt`. */
    securityContact: string | undefined
    dataDir: string
    databaseUrl: string | undefined
    databaseReplicaUrl: string | undefined
    /** Of each `api` and `worker` process. */
    databaseConnections: number
    frontProcesses: number
    apiProcesses: number
    secret: string | undefined
    visitorKey: string | undefined
    splitKey: string | undefined
    bootstrapApiKey: string | undefined
    bootstrapOrganization: string
    bootstrapEmail: string
    bootstrapPassword: string | undefined
    /** Sign-up without an invitation: for nobody, for anyone, or for these e-mail domains. */
    signUp: 'off' | 'open' | readonly string[]
    smtpUrl: string | undefined
    mailFrom: string
    mailsPerAccountPerDay: number
    mailsPerInstallationPerDay: number
    trustProxy: readonly string[]
    /** Servers to ask for the proofs of domains, as `address:port`; empty: those of the system. */
    dnsServers: readonly string[]
    strictHosts: boolean
    /** Whether names that only one network knows can be domains. */
    privateDomains: boolean
    journalSync: JournalSync
    journalBytesMax: number
    rateLimitPerMinute: number
    retentionDays: number | undefined
    /** A folder; undefined if no copies are scheduled. */
    backupDir: string | undefined
    staticExportDir: string | undefined
    backupEveryHours: number
    backupKeep: number
    backupPassphraseFile: string | undefined
    geoipCityV4: string | undefined
    geoipCityV6: string | undefined
    webhookAllowPrivate: boolean
    metricsToken: string | undefined
    metricsRequireToken: boolean
    /** Only for the command `mcp`. */
    apiKey: string | undefined
    logLevel: string
    /** The environment itself, for child processes. It is not in the table. */
    environment: NodeJS.ProcessEnv
  }
