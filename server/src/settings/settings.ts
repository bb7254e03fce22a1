import { resolve } from 'node:path'
import { derivedKey } from '../secret-box.ts'
import type { Config } from './config-types.ts'
import type { ChildName, Setting } from './setting.ts'
import { storeSettings } from './store-settings.ts'
import { tlsSettings } from './tls-settings.ts'
import {
  dnsServers,
  atLeast,
  contact,
  journalBytes,
  oneOf,
  origin,
  postgresUrl,
  sender,
  signUp,
  url,
  wholeNumber,
} from './setting-values.ts'

export type { ChildName } from './setting.ts'
export type { Config, JournalSync } from './config-types.ts'

const everyChild: readonly ChildName[] = ['prepare', 'front', 'api', 'worker', 'engine']

export const settings: { [Key in Exclude<keyof Config, 'environment'>]: Setting<Config[Key], Config> } = {
  port: {
    name: 'PORT',
    default: '3000',
    meaning: 'The public port.',
    for: ['prepare', 'front'],
    read: (text) => wholeNumber(text, 3000, 0, 65_535),
  },
  host: {
    name: 'HOST',
    default: '0.0.0.0',
    meaning: 'The address to listen on.',
    for: ['prepare', 'front'],
    read: (text) => text ?? '0.0.0.0',
  },
  publicUrl: {
    name: 'PUBLIC_URL',
    default: 'http://localhost:PORT',
    meaning:
      'The beginning of every short URL. Printed codes contain it: choose a name that you will keep. Passkeys are bound to its host name, and need https.',
    for: ['prepare', 'front', 'api', 'worker'],
    pass: (config) => config.publicUrl,
    read: (text, soFar) => origin(text ?? `http://localhost:${soFar.port}`),
  },
  ...tlsSettings,
  rootUrl: {
    name: 'ROOT_URL',
    default: '(a quiet page)',
    meaning: 'Where the address without a short code leads, for example to your website.',
    for: ['api', 'worker'],
    read: (text) => (text === undefined ? undefined : url(text, ['http:', 'https:'])),
  },
  securityContact: {
    name: 'SECURITY_CONTACT',
    default: '(none)',
    meaning:
      'Where people report vulnerabilities, in `/.well-known/security.txt`: `mailto:security@example.com` or an https address.',
    for: ['api'],
    read: (text) => (text === undefined ? undefined : contact(text)),
  },
  dataDir: {
    name: 'DATA_DIR',
    default: './data',
    meaning:
      'The directory of SQLite, journals, files of scans, the secret and the visitor key. `npm start` and `./everscan` use `data` in the directory of the project, whatever the current directory is.',
    for: everyChild,
    pass: (config) => config.dataDir,
    read: (text) => resolve(text ?? './data'),
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    isSecret: true,
    default: '(SQLite in DATA_DIR)',
    meaning:
      'The catalogue on PostgreSQL: `postgres://user:password@host/database`, or `postgres:///database?host=/var/run/postgresql` over a socket.',
    for: everyChild,
    read: (text) => postgresUrl(text),
  },
  databaseReplicaUrl: {
    name: 'DATABASE_REPLICA_URL',
    isSecret: true,
    default: '(none)',
    meaning: 'A standby of DATABASE_URL, which lists and analytics then read whenever it has every change.',
    for: ['api'],
    read: (text, { databaseUrl }) => {
      if (text !== undefined && databaseUrl === undefined) throw new Error('needs DATABASE_URL')
      return postgresUrl(text)
    },
  },
  databaseConnections: {
    name: 'DATABASE_CONNECTIONS',
    default: '8',
    meaning:
      'The most connections to PostgreSQL of each `api` and `worker` process, 2 to 100. A `front` process has half as many, and two for limits of codes.',
    for: ['front', 'api', 'worker'],
    read: (text) => wholeNumber(text, 8, 2, 100),
  },
  ...storeSettings,
  frontProcesses: {
    name: 'FRONT_PROCESSES',
    default: '1',
    meaning: 'Number of processes that answer the public port.',
    for: ['prepare', 'front', 'worker'],
    read: (text) => wholeNumber(text, 1, 1, 256),
  },
  apiProcesses: {
    name: 'API_PROCESSES',
    default: '1',
    meaning: 'Number of processes that answer the REST API.',
    for: ['front', 'api'],
    read: (text) => wholeNumber(text, 1, 1, 256),
  },
  secret: {
    name: 'SECRET',
    isSecret: true,
    default: '(made once in DATA_DIR)',
    meaning:
      'Key that seals secrets in the catalogue, 32 characters or more; the same on every machine of a cluster.',
    for: ['prepare', 'api', 'worker'],
    pass: (config) => config.secret,
    read: (text) => atLeast(text, 32),
  },
  visitorKey: {
    name: 'VISITOR_KEY',
    isSecret: true,
    default: '(made once in DATA_DIR)',
    meaning:
      'Key of the visitor hash, 32 characters or more; the same on every machine of a cluster. If it is not set, machines that share DATABASE_URL derive it from SECRET: then it is not a secret of its own. `./everscan visitor-key` shows where it comes from.',
    // The worker needs it for encrypted copies, which hold it; `api` to simulate rules.
    for: ['prepare', 'front', 'api', 'worker'],
    pass: (config) => config.visitorKey,
    // A front that waits for an upgrade reads the file when it is there.
    optionalFor: ['prepare', 'front'],
    read: (text) => atLeast(text, 32),
  },
  splitKey: {
    name: 'SPLIT_KEY',
    isSecret: true,
    default: '(derived from SECRET)',
    meaning:
      'Key by which splits of rules divide visitors, 32 characters or more; the same on every machine of a cluster. Another key gives visitors other arms.',
    for: ['front', 'api'],
    pass: ({ splitKey, secret }) =>
      splitKey ?? (secret === undefined ? undefined : derivedKey(secret, 'splits')),
    read: (text) => atLeast(text, 32),
  },
  bootstrapApiKey: {
    name: 'BOOTSTRAP_API_KEY',
    isSecret: true,
    default: '(random, printed once)',
    meaning:
      'ADMIN key of the organization that the first start creates in an empty catalogue, at least 32 characters.',
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
    meaning: 'E-mail address of the first dashboard account.',
    for: ['prepare'],
    read: (text) => text ?? 'admin@localhost',
  },
  bootstrapPassword: {
    name: 'BOOTSTRAP_PASSWORD',
    isSecret: true,
    default: '(random, printed once)',
    meaning: 'Password of the first dashboard account.',
    for: ['prepare'],
    read: (text) => atLeast(text, 8),
  },
  smtpUrl: {
    name: 'SMTP_URL',
    isSecret: true,
    default: '(no mails are sent)',
    meaning:
      'Mail server for invitations, forgotten passwords, confirmations of addresses and mailed views: `smtp://user:password@host:587`; `smtps://` if the connection begins with TLS. Otherwise STARTTLS is required, except for a server on this machine or with `?requireTLS=false`.',
    for: ['api', 'worker'],
    read: (text) => url(text, ['smtp:', 'smtps:']),
  },
  mailFrom: {
    name: 'MAIL_FROM',
    default: 'everscan@ and the host of PUBLIC_URL',
    meaning: 'Sender of the mails.',
    for: ['api', 'worker'],
    read: (text, soFar) => sender(text ?? `everscan@${new URL(soFar.publicUrl ?? '').hostname}`),
  },
  mailsPerAccountPerDay: {
    name: 'MAILS_PER_ACCOUNT_PER_DAY',
    default: '200',
    meaning:
      'Invitations, questions for consent and mails of views that one account, or one API key, makes the service send in a day (UTC), over all of its organizations. Further invitations get 429; mails of views wait for the next day.',
    for: ['api', 'worker'],
    read: (text) => wholeNumber(text, 200, 1, 1_000_000),
  },
  mailsPerInstallationPerDay: {
    name: 'MAILS_PER_INSTALLATION_PER_DAY',
    default: '5000',
    meaning:
      'The same for all organizations together. As many mails for sign-ups may be sent besides: over them, a sign-up gets 429 until the next day. Other mails about accounts, such as those for forgotten passwords, do not count.',
    for: ['api', 'worker'],
    read: (text) => wholeNumber(text, 5000, 1, 10_000_000),
  },
  signUp: {
    name: 'SIGN_UP',
    default: 'off',
    meaning:
      'Who may sign up without an invitation: `off` (nobody), `open` (anyone), or a comma-separated list of e-mail domains. With SMTP_URL, people confirm their address by mail; without it, only `open` works, for trusted networks.',
    for: ['api', 'worker'],
    read: (text, soFar) => signUp(text, soFar.smtpUrl),
  },
  dnsServers: {
    name: 'DNS_SERVERS',
    default: '(those of the system)',
    meaning:
      'The DNS servers that are asked for the proofs of domains: IP addresses separated by commas, each with an optional port, such as `192.0.2.53,[2001:db8::53]:5353`.',
    for: ['api', 'worker'],
    read: (text) => dnsServers(text),
  },
  strictHosts: {
    name: 'STRICT_HOSTS',
    default: 'false',
    meaning:
      'Whether a request for a host that is neither that of PUBLIC_URL nor a domain gets the page of an unknown code. By default it gets what PUBLIC_URL has, so that prints behind a proxy that rewrites `Host` go on working.',
    for: ['front', 'worker'],
    read: (text) => oneOf(text, ['false', 'true']) === 'true',
  },
  privateDomains: {
    name: 'PRIVATE_DOMAINS',
    default: 'false',
    meaning:
      'Whether names that end in `.internal`, `.local` or `.lan` can be domains, for an installation in a network of its own. Domains that exist stay.',
    for: ['api'],
    read: (text) => oneOf(text, ['false', 'true']) === 'true',
  },
  trustProxy: {
    name: 'TRUST_PROXY',
    default: '(none)',
    meaning:
      'Comma-separated CIDR list of proxies whose `X-Forwarded-For` is trusted, read right to left. The dashboard shows under Settings, Proxy check whether the list is right.',
    for: ['front', 'api'],
    read: (text) => (text ?? '').split(',').flatMap((entry) => (entry.trim() === '' ? [] : [entry.trim()])),
  },
  journalSync: {
    name: 'JOURNAL_SYNC',
    default: 'interval',
    meaning:
      'When scans are synced to disk. `always`: before the answer; `interval`: every 200 ms; `never`: when the operating system chooses.',
    for: ['front'],
    read: (text) => oneOf(text, ['interval', 'always', 'never']),
  },
  journalBytesMax: {
    name: 'JOURNAL_MAX_BYTES',
    default: '10737418240 (10 GiB)',
    meaning:
      'Maximum size of all journals. Beyond it, redirects go on, but their scans are not recorded, only counted in `/metrics`. At least 8 MiB for each of FRONT_PROCESSES.',
    for: ['front', 'worker'],
    read: (text, soFar) => journalBytes(text, soFar.frontProcesses ?? 1),
  },
  rateLimitPerMinute: {
    name: 'RATE_LIMIT_PER_MINUTE',
    default: '6000',
    meaning:
      'Requests per minute for each API key and each signed-in account; 0 turns this limit off. Redirects have no limit. Sign-in, sign-up, reset mails and invitations always have their own.',
    for: ['api', 'worker'],
    read: (text) => wholeNumber(text, 6000, 0, 10_000_000),
  },
  retentionDays: {
    name: 'RETENTION_DAYS',
    default: '(scans are kept forever)',
    meaning:
      'Age in days after which scans are deleted, also from all figures, at the next midnight (UTC). If the setting is new or shorter, so that more than the latest days would be deleted, the deletion waits for 12 hours after a warning in the log.',
    for: ['prepare', 'api', 'worker'],
    read: (text) => (text === undefined ? undefined : wholeNumber(text, 0, 1, 36_500)),
  },
  backupDir: {
    name: 'BACKUP_DIR',
    default: '(no scheduled copies)',
    meaning:
      'An existing folder, on another disk than DATA_DIR, in which the service makes scheduled copies of the whole installation. See docs/backup.md.',
    for: ['api', 'worker'],
    read: (text) => (text === undefined ? undefined : resolve(text)),
  },
  backupEveryHours: {
    name: 'BACKUP_EVERY_HOURS',
    default: '24',
    meaning: 'Hours from the start of one scheduled copy to the start of the next, 1 to 720.',
    for: ['api', 'worker'],
    read: (text) => wholeNumber(text, 24, 1, 720),
  },
  backupKeep: {
    name: 'BACKUP_KEEP',
    default: '7',
    meaning: 'Number of newest copies to keep in BACKUP_DIR, 1 to 9999.',
    for: ['api', 'worker'],
    read: (text) => wholeNumber(text, 7, 1, 9_999),
  },
  backupPassphraseFile: {
    name: 'BACKUP_PASSPHRASE_FILE',
    default: '(copies are not encrypted)',
    meaning:
      'A file whose first line is the passphrase for scheduled copies. Store the passphrase elsewhere, too: without it the copies are lost.',
    for: ['api', 'worker'],
    read: (text) => (text === undefined ? undefined : resolve(text)),
  },
  staticExportDir: {
    name: 'STATIC_EXPORT_DIR',
    default: '(none)',
    meaning:
      'A folder that the service keeps up to date with a static site of all codes, for the day on which it is gone. See docs/guide/static-site.md.',
    for: ['worker'],
    read: (text) => (text === undefined ? undefined : resolve(text)),
  },
  geoipCityV4: {
    name: 'GEOIP_CITY_V4',
    default: '(the packaged DB-IP Lite file)',
    meaning: 'A city database in MaxMind format for IPv4 addresses.',
    for: ['front', 'api', 'worker'],
    read: (text) => text,
  },
  geoipCityV6: {
    name: 'GEOIP_CITY_V6',
    default: '(the packaged DB-IP Lite file)',
    meaning: 'A city database in MaxMind format for IPv6 addresses.',
    for: ['front', 'api', 'worker'],
    read: (text) => text,
  },
  webhookAllowPrivate: {
    name: 'WEBHOOK_ALLOW_PRIVATE',
    default: 'false',
    meaning:
      '`true`: webhooks may also use http and private addresses, and looks at domains private addresses.',
    for: ['api', 'worker'],
    read: (text) => oneOf(text, ['false', 'true']) === 'true',
  },
  metricsToken: {
    name: 'METRICS_TOKEN',
    isSecret: true,
    default: '(none)',
    meaning:
      'Bearer token, 16 characters or more, for reading `/metrics` and the parts of `/readyz` from any address. Loopback and private addresses need no token unless the request came through a proxy.',
    for: ['front'],
    read: (text) => atLeast(text, 16),
  },
  metricsRequireToken: {
    name: 'METRICS_REQUIRE_TOKEN',
    default: 'false',
    meaning: '`true`: loopback and private addresses need METRICS_TOKEN, too.',
    for: ['front'],
    read: (text, soFar) => {
      const isRequired = oneOf(text, ['false', 'true']) === 'true'
      if (isRequired && soFar.metricsToken === undefined)
        throw new Error('needs METRICS_TOKEN: without it, no client can read the metrics')
      return isRequired
    },
  },
  apiKey: {
    name: 'EVERSCAN_API_KEY',
    isSecret: true,
    default: '(none)',
    meaning: 'The API key that `./everscan mcp` uses. The service itself does not read it.',
    for: [],
    read: (text) => text,
  },
  logLevel: {
    name: 'LOG_LEVEL',
    default: 'info',
    meaning: 'Least severe level to log: trace, debug, info, warn, error or silent.',
    for: everyChild,
    read: (text) => oneOf(text, ['info', 'trace', 'debug', 'warn', 'error', 'silent']),
  },
}
