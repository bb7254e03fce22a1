import type { ScanStore } from '../../analytics/store/store.ts'
import type { SecretBox } from '../../secret-box.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/database.ts'
import type { Mailer } from './mailer.ts'
import type { RateLimit } from './rate-limit.ts'
import type { AttemptLimiter } from './attempt-limiter.ts'
import type { Readable } from 'node:stream'
import type { StreamHolder } from './callers.ts'

/** What every handler is given to work on. */
export type ApiContext = {
  db: Database
  store: ScanStore
  config: Pick<
    Config,
    | 'publicUrl'
    | 'rateLimitPerMinute'
    | 'retentionDays'
    | 'webhookAllowPrivate'
    | 'trustProxy'
    | 'backupDir'
    | 'backupEveryHours'
    | 'backupKeep'
    | 'backupPassphraseFile'
  >
  accounts: AccountTools
  /** For the secrets of webhooks. */
  box: SecretBox
  streams: EventStreams
  clock: () => number
}

/** What signing in works with, besides the catalogue. */
export type AccountTools = {
  /** For the secrets of authenticators. */
  twoFactorBox: SecretBox
  /** For accounts that wait until their address is confirmed. */
  signUpBox: SecretBox
  attempts: AttemptLimiter
  signUp: Config['signUp']
  /** Undefined: the installation sends no mails. */
  mailer: Mailer | undefined
  /** Of mails that members have sent to others, by organization. */
  mailLimit: RateLimit
}

export type OpenStream = StreamHolder & {
  /** These kinds, and these codes, only; all unless given. */
  events?: readonly string[] | undefined
  qrCodeIds?: readonly string[] | undefined
  lastEventId?: string | undefined
}

export type EventStreams = {
  /** Server-sent events until their reader goes. Throws ApiError 429 when too many are open. */
  open: (options: OpenStream) => Promise<Readable>
  /** Ends all of them in order. */
  close: () => void
  stats: () => { readers: number }
}
