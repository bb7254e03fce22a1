export type JournalSync = 'always' | 'interval' | 'never'

/** All settings, read once. Only the table below knows their names, defaults and bounds. */
export type Config = {
  port: number
  host: string
  publicUrl: string
  /** The address that `/` leads to. Undefined: a page without content. */
  rootUrl: string | undefined
  /** For reports of vulnerabilities, in `/.well-known/security.txt`. */
  securityContact: string | undefined
  dataDir: string
  databaseUrl: string | undefined
  clickhouseUrl: string | undefined
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
  trustProxy: readonly string[]
  /** Servers to ask for the proofs of domains, as `address:port`; empty: those of the system. */
  dnsServers: readonly string[]
  strictHosts: boolean
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

/** The processes that `main` starts. `main` itself reads every setting. */
export type ChildName = 'prepare' | 'front' | 'api' | 'worker' | 'engine'

/** A setting: its environment variable, documented default, meaning, and parser. */
export type Setting<Value> = {
  name: string
  default: string
  meaning: string
  /** The processes that need it; others must not hold a secret that they do not use. */
  for: readonly ChildName[]
  /** Returns the value that `main` passes on, if a child must not choose its own. */
  pass?: (config: Config) => string | undefined
  /** Processes that `main` may start before the value is settled. */
  optionalFor?: readonly ChildName[]
  /** The value is a secret: NAME_FILE can name a file that holds it. */
  isSecret?: true
  read: (text: string | undefined, soFar: Partial<Config>) => Value
}
