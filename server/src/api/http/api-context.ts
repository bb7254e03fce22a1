import type { SharedView } from '@everscan/contract/views/views.ts'
import type { ScanStore } from '../../analytics/store/store.ts'
import type { LookAtDns } from '../../dns-looks.ts'
import type { SecretBox } from '../../secret-box.ts'
import type { Config } from '../../settings.ts'
import type { AccountSource } from '../../catalogue/accounts/account-log.ts'
import type { FailureAction } from '../../catalogue/accounts/failures.ts'
import type { AddressHash } from '../../catalogue/mails/address-hash.ts'
import type { Database } from '../../db/database.ts'
import type { Mailer } from './mails/mailer.ts'
import type { RateLimit } from './limits/rate-limit.ts'
import type { Brake } from './limits/account-brake.ts'
import type { Attempts } from './limits/attempt-limiter.ts'
import type { DeviceType } from '@everscan/contract/rules/device-names.ts'
import type { CreateSplit } from '../../rules/splits.ts'
import type { Readable } from 'node:stream'
import type { PlaceHolder } from './callers.ts'
import type { StyleWork } from './style-work.ts'

/** The dependencies of every handler. */
export type ApiContext = {
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
  accounts: AccountTools
  /** Seals the secrets of webhooks. */
  box: SecretBox
  streams: EventStreams
  views: ViewTools
  rules: RuleTools
  lookAtDns: LookAtDns
  /** Checks of styles for this request. */
  work: StyleWork
  /** Returns a signal that is aborted when this request is answered, or its client has left. */
  closed: () => AbortSignal
  clock: () => number
}

/** The dependencies of signing in, besides the catalogue. */
export type AccountTools = {
  /** Seals the secrets of authenticators. */
  twoFactorBox: SecretBox
  /** Seals challenges for passkeys. */
  challengeBox: SecretBox
  /** Seals sign-ups that wait for the confirmation of their e-mail address. */
  signUpBox: SecretBox
  /** Seals the links that confirm the address of an account. */
  emailConfirmationBox: SecretBox
  /** Seals the cookies of browsers that signed in before. */
  deviceBox: SecretBox
  attempts: Attempts
  brake: Brake
  /** Gathers failed attempts for the logs of accounts. */
  failures: FailureNotes
  signUp: Config['signUp']
  /** Undefined if the installation sends no mails. */
  mailer: Mailer | undefined
  /** Limits the mails that members of an organization send, and those about one account. */
  mailLimit: RateLimit
}

/** The dependencies of simulations and replays of rules, as a front has them. */
export type RuleTools = {
  createSplit: CreateSplit
  /** The visitor of a code with an address and a user agent. */
  visitorHash: (qrCodeId: string, address: string, userAgent: string) => string
  /** Loads what tells about visitors when it is asked for. */
  sources: {
    /** Returns sources that know a network; undefined if those that are loaded do. */
    require: (
      names: readonly ('countries' | 'places' | 'devices')[],
      network: string,
    ) => Promise<VisitorSources> | undefined
    readonly loaded: VisitorSources
  }
  /** Returns a function that tells what is known of a place as the scan store has it. */
  loadPlaceReader: () => Promise<(place: StoredPlace) => KnownPlace>
}

/** The sources that are loaded. */
type VisitorSources = {
  readonly countries?: { countryOf: (network: string) => string | undefined }
  readonly places?: (network: string) => KnownPlace
  readonly devices?: (userAgent: string) => KnownDevice
}

/** The known parts of a place. */
export type KnownPlace = { country?: string; region?: string; city?: string }
type KnownDevice = { device?: DeviceType; os?: string; browser?: string }
/** A place as the scan store has it: the region by its English name. */
export type StoredPlace = { country: string; region: string; city: string }

/** The dependencies of saved views, besides the catalogue and the scan store. */
export type ViewTools = {
  /** Seals the tokens of public links. */
  linkBox: SecretBox
  /** Seals the cookies of browsers that sent the password of a link. */
  unlockBox: SecretBox
  /** Seals the links by which the owners of addresses answer mails. */
  leaveBox: SecretBox
  addressHash: AddressHash
  attempts: Attempts
  brake: Brake
  /** Counts the requests for one view from everywhere. */
  reads: RateLimit
  figures: SharedFigures
}

export type SharedFigures = {
  /**
   * Returns recent figures, or computes them in the turn of their organization. Requests for the
   * same figures share one computation.
   */
  read: (
    key: string,
    options: { nowMs: number; holder: string; compute: () => Promise<SharedView | undefined> },
  ) => Promise<SharedView | undefined>
}

export type FailureNotes = {
  note: (userId: string, failure: { action: FailureAction; source: AccountSource; nowMs: number }) => void
  /** Writes what was noted. */
  flush: (db: Database) => Promise<void>
}

export type OpenStream = PlaceHolder & {
  /** Only events of these kinds and of these codes; all by default. */
  events?: readonly string[] | undefined
  qrCodeIds?: readonly string[] | undefined
  lastEventId?: string | undefined
}

export type EventStreams = {
  /**
   * Opens a stream of server-sent events, which ends when its reader leaves. Throws ApiError 429 if
   * too many streams are open: see FairShare.
   */
  open: (options: OpenStream) => Promise<Readable>
  /** Ends all streams in order. */
  close: () => void
  stats: () => { readers: number }
}
