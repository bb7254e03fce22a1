import { resolve } from 'node:path'
import {
  atLeast,
  journalBytes,
  oneOf,
  origin,
  postgresUrl,
  sender,
  signUp,
  url,
  whole,
} from './setting-values.ts'

export type JournalSync = 'always' | 'interval' | 'never'

/** Every setting, read once. The table below is the only place that knows names, defaults and bounds. */
export type Config = {
  port: number
  host: string
  publicUrl: string
  dataDir: string
  databaseUrl: string | undefined
  clickhouseUrl: string | undefined
  frontProcesses: number
  apiProcesses: number
  secret: string | undefined
  visitorKey: string | undefined
  bootstrapApiKey: string | undefined
  bootstrapOrganization: string
  bootstrapEmail: string
  bootstrapPassword: string | undefined
  /** Who makes an account by themselves: nobody, anybody, or whoever has an address of these domains. */
  signUp: 'off' | 'open' | readonly string[]
  smtpUrl: string | undefined
  mailFrom: string
  trustProxy: readonly string[]
  journalSync: JournalSync
  journalBytesMax: number
  rateLimitPerMinute: number
  retentionDays: number | undefined
  /** A folder; undefined: no copies are made by themselves. */
  backupDir: string | undefined
  backupEveryHours: number
  backupKeep: number
  backupPassphraseFile: string | undefined
  geoipCityV4: string | undefined
  geoipCityV6: string | undefined
  webhookAllowPrivate: boolean
  metricsToken: string | undefined
  metricsRequireToken: boolean
  logLevel: string
  /** The environment itself, for child processes; the table does not list it. */
  environment: NodeJS.ProcessEnv
}

/** The processes that `main` starts. It reads every setting itself. */
export type ChildName = 'prepare' | 'front' | 'api' | 'worker' | 'engine'

/** A setting of the table: its name outside, its default as documented, its meaning, and how its text is read. */
type Setting<Value> = {
  name: string
  default: string
  meaning: string
  /** The processes that need it: no other one gets it, so that none holds a secret without a use for it. */
  for: readonly ChildName[]
  /** What `main` passes on in place of the text, where a child must not come to a value of its own. */
  pass?: (config: Config) => string | undefined
  /** Processes that `main` may have to start before it has settled the value. */
  optionalFor?: readonly ChildName[]
  read: (text: string | undefined, soFar: Partial<Config>) => Value
}

const everyChild: readonly ChildName[] = ['prepare', 'front', 'api', 'worker', 'engine']

export const settings: { [Key in Exclude<keyof Config, 'environment'>]: Setting<Config[Key]> } = {
  port: {
    name: 'PORT',
    default: '3000',
    meaning: 'The public port.',
    for: ['front'],
    read: (text) => whole(text, 3000, 0, 65_535),
  },
  host: {
    name: 'HOST',
    default: '0.0.0.0',
    meaning: 'The address that is listened on.',
    for: ['front'],
    read: (text) => text ?? '0.0.0.0',
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    default: 'http://localhost:PORT',
    meaning: 'What short URLs begin with. Printed codes hold it: choose a name that you keep.',
    for: ['prepare', 'api', 'worker'],
    pass: (config) => config.publicUrl,
    read: (text, soFar) => origin(text ?? `http://localhost:${soFar.port}`),
  },
  dataDir: {
    name: 'DATA_DIR',
    default: './data',
    meaning:
      'SQLite, journals, the embedded scan store, the secret and the visitor key. `npm start` and `./everscan`: `data` in the directory of the project, wherever they are called from.',
    for: everyChild,
    pass: (config) => config.dataDir,
    read: (text) => resolve(text ?? './data'),
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    default: '(SQLite in DATA_DIR)',
    meaning:
      'The catalogue on PostgreSQL: `postgres://user:password@host/database`, or `postgres:///database?host=/var/run/postgresql` over a socket.',
    for: ['prepare', 'front', 'api', 'worker'],
    read: (text) => postgresUrl(text),
  },
  clickhouseUrl: {
    name: 'CLICKHOUSE_URL',
    default: '(embedded)',
    meaning: 'The scan store on a ClickHouse server: `http://user:password@host:8123/database`.',
    for: ['prepare', 'api', 'worker'],
    read: (text) => url(text, ['http:', 'https:']),
  },
  frontProcesses: {
    name: 'FRONT_PROCESSES',
    default: '1',
    meaning: 'Processes that answer the public port.',
    for: ['prepare', 'front', 'worker'],
    read: (text) => whole(text, 1, 1, 256),
  },
  apiProcesses: {
    name: 'API_PROCESSES',
    default: '1',
    meaning: 'Processes that answer the REST interface.',
    for: ['front'],
    read: (text) => whole(text, 1, 1, 256),
  },
  secret: {
    name: 'SECRET',
    default: '(made once in DATA_DIR)',
    meaning:
      'Key of what is sealed in the catalogue, 32 characters or more; equal on every machine of a cluster.',
    for: ['prepare', 'api', 'worker'],
    pass: (config) => config.secret,
    read: (text) => atLeast(text, 32),
  },
  visitorKey: {
    name: 'VISITOR_KEY',
    default: '(made once in DATA_DIR)',
    meaning:
      'Key of the visitor hash, 32 characters or more; equal on every machine of a cluster. Unless it is set, machines that share DATABASE_URL make it from SECRET: then it is no secret of its own. `./everscan visitor-key` shows where it comes from.',
    // The worker for copies, which hold it when they are encrypted.
    for: ['prepare', 'front', 'worker'],
    pass: (config) => config.visitorKey,
    optionalFor: ['prepare'],
    read: (text) => atLeast(text, 32),
  },
  bootstrapApiKey: {
    name: 'BOOTSTRAP_API_KEY',
    default: '(random, printed once)',
    meaning: 'ADMIN key of the organization that is made on the first start of an empty catalogue.',
    for: ['prepare'],
    read: (text) => atLeast(text, 8),
  },
  bootstrapOrganization: {
    name: 'BOOTSTRAP_ORGANIZATION',
    default: 'My organization',
    meaning: 'Name of that organization.',
    for: ['prepare'],
    read: (text) => text ?? 'My organization',
  },
  bootstrapEmail: {
    name: 'BOOTSTRAP_EMAIL',
    default: 'admin@localhost',
    meaning: 'The first dashboard account.',
    for: ['prepare'],
    read: (text) => text ?? 'admin@localhost',
  },
  bootstrapPassword: {
    name: 'BOOTSTRAP_PASSWORD',
    default: '(random, printed once)',
    meaning: 'Its password.',
    for: ['prepare'],
    read: (text) => atLeast(text, 8),
  },
  smtpUrl: {
    name: 'SMTP_URL',
    default: '(no mails are sent)',
    meaning:
      'Mail server for invitations and forgotten passwords: `smtp://user:password@host:587`; `smtps://` where TLS comes first.',
    for: ['api'],
    read: (text) => url(text, ['smtp:', 'smtps:']),
  },
  mailFrom: {
    name: 'MAIL_FROM',
    default: 'everscan@ and the host of PUBLIC_URL',
    meaning: 'Sender of the mails.',
    for: ['api'],
    read: (text, soFar) => sender(text ?? `everscan@${new URL(soFar.publicUrl ?? '').hostname}`),
  },
  signUp: {
    name: 'SIGN_UP',
    default: 'off',
    meaning:
      'Who may make an account without an invitation: `off`, `open`, or a comma-separated list of e-mail domains. With SMTP_URL addresses are confirmed by mail; without it only `open` works, and is for trusted networks.',
    for: ['api'],
    read: (text, soFar) => signUp(text, soFar.smtpUrl),
  },
  trustProxy: {
    name: 'TRUST_PROXY',
    default: '(none)',
    meaning:
      'Comma-separated CIDR list whose `X-Forwarded-For` is believed, read right to left. The dashboard says under Settings, Connection whether it is right.',
    for: ['front', 'api'],
    read: (text) => (text ?? '').split(',').flatMap((entry) => (entry.trim() === '' ? [] : [entry.trim()])),
  },
  journalSync: {
    name: 'JOURNAL_SYNC',
    default: 'interval',
    meaning:
      '`always`: on the disk before the answer; `interval`: every 200 ms; `never`: when the system likes.',
    for: ['front'],
    read: (text) => oneOf(text, ['interval', 'always', 'never']),
  },
  journalBytesMax: {
    name: 'JOURNAL_MAX_BYTES',
    default: '10737418240 (10 GiB)',
    meaning:
      'When journals have grown to this, redirects go on and unrecorded scans are counted in `/metrics`. At least 8 MiB for each of FRONT_PROCESSES.',
    for: ['front', 'worker'],
    read: (text, soFar) => journalBytes(text, soFar.frontProcesses ?? 1),
  },
  rateLimitPerMinute: {
    name: 'RATE_LIMIT_PER_MINUTE',
    default: '6000',
    meaning: 'Requests a minute for each API key; 0 turns it off. Redirects have no limit.',
    for: ['api'],
    read: (text) => whole(text, 6000, 0, 10_000_000),
  },
  retentionDays: {
    name: 'RETENTION_DAYS',
    default: '(for ever)',
    meaning:
      'Age in days at which scans are deleted, from all figures, at the next midnight (UTC). When that would be more than the last days, because it is new or shorter, after 12 hours and a line in the log.',
    for: ['api', 'worker'],
    read: (text) => (text === undefined ? undefined : whole(text, 0, 1, 36_500)),
  },
  backupDir: {
    name: 'BACKUP_DIR',
    default: '(no scheduled copies)',
    meaning:
      'An existing folder for copies of the whole installation, which the service makes by itself; on another disk than DATA_DIR. See docs/backup.md.',
    for: ['api', 'worker'],
    read: (text) => (text === undefined ? undefined : resolve(text)),
  },
  backupEveryHours: {
    name: 'BACKUP_EVERY_HOURS',
    default: '24',
    meaning: 'Hours from the beginning of one scheduled copy to the next, 1 to 720.',
    for: ['api', 'worker'],
    read: (text) => whole(text, 24, 1, 720),
  },
  backupKeep: {
    name: 'BACKUP_KEEP',
    default: '7',
    meaning: 'How many of the newest copies BACKUP_DIR keeps, 1 to 9999.',
    for: ['api', 'worker'],
    read: (text) => whole(text, 7, 1, 9_999),
  },
  backupPassphraseFile: {
    name: 'BACKUP_PASSPHRASE_FILE',
    default: '(copies are not encrypted)',
    meaning:
      'A file whose first line is the passphrase that scheduled copies are encrypted with. Keep the passphrase elsewhere too: without it they are lost.',
    for: ['api', 'worker'],
    read: (text) => (text === undefined ? undefined : resolve(text)),
  },
  geoipCityV4: {
    name: 'GEOIP_CITY_V4',
    default: '(the packaged DB-IP Lite file)',
    meaning: 'Any MaxMind-format city database for IPv4 addresses.',
    for: ['worker'],
    read: (text) => text,
  },
  geoipCityV6: {
    name: 'GEOIP_CITY_V6',
    default: '(the packaged DB-IP Lite file)',
    meaning: 'The same for IPv6 addresses.',
    for: ['worker'],
    read: (text) => text,
  },
  webhookAllowPrivate: {
    name: 'WEBHOOK_ALLOW_PRIVATE',
    default: 'false',
    meaning: '`true`: webhooks may also use http and addresses of a private network.',
    for: ['api', 'worker'],
    read: (text) => oneOf(text, ['false', 'true']) === 'true',
  },
  metricsToken: {
    name: 'METRICS_TOKEN',
    default: '(none)',
    meaning:
      'Bearer token, 16 characters or more, with which `/metrics` and the parts of `/readyz` are read from any address. Loopback and private addresses need none unless the request came through a proxy.',
    for: ['front'],
    read: (text) => atLeast(text, 16),
  },
  metricsRequireToken: {
    name: 'METRICS_REQUIRE_TOKEN',
    default: 'false',
    meaning: '`true`: loopback and private addresses need METRICS_TOKEN as well.',
    for: ['front'],
    read: (text, soFar) => {
      const isRequired = oneOf(text, ['false', 'true']) === 'true'
      if (isRequired && soFar.metricsToken === undefined)
        throw new Error('needs METRICS_TOKEN: otherwise nothing can read the metrics')
      return isRequired
    },
  },
  logLevel: {
    name: 'LOG_LEVEL',
    default: 'info',
    meaning: 'trace, debug, info, warn, error or silent.',
    for: everyChild,
    read: (text) => oneOf(text, ['info', 'trace', 'debug', 'warn', 'error', 'silent']),
  },
}

/**
 * The settings of an environment; of a child's, those that the child is given. Throws an Error that names the first
 * wrong setting and what was expected. An empty value counts as absent, as `docker compose` and shells write unset
 * variables that way.
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env, child?: ChildName): Config {
  const config: Partial<Config> = { environment: env }
  for (const [key, setting] of Object.entries(settings)) {
    if (child !== undefined && !setting.for.includes(child)) {
      refuseReading(config, key, `${setting.name} is not for ${child}: see "for" in config.ts`)
      continue
    }
    const text = env[setting.name]?.trim() || undefined
    const isOptional = child === undefined || setting.optionalFor?.includes(child) === true
    if (!isOptional && text === undefined && setting.pass !== undefined)
      throw new Error(`${setting.name}: must be passed on by main, which starts ${child}`)
    try {
      Object.assign(config, { [key]: setting.read(text, config) })
    } catch (error) {
      throw new Error(`${setting.name}: ${(error as Error).message}`, { cause: error })
    }
  }
  return config as Config
}

/** A default in place of a value that the process was not given could be wrong in silence. */
function refuseReading(config: Partial<Config>, key: string, message: string): void {
  Object.defineProperty(config, key, {
    get: () => {
      throw new Error(message)
    },
  })
}
