import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { claimStore, MissingStoreError, readStoreIdentity } from '../analytics/store/store-identity.ts'
import type { ScanStore } from '../analytics/store/store.ts'
import { keysSince, latestKeys } from '../catalogue/installation/known-keys.ts'
import { afterOlderCatalogue } from '../catalogue/installation/older-catalogue.ts'
import { refuseOtherVisitorKey, settleVisitorKey } from './visitor.ts'
import type { Config } from '../config.ts'
import { inTransaction, lockName, type Database } from '../db/database.ts'
import {
  addInstallationNote,
  adoptedStore,
  claimFingerprint,
  ensureInstallation,
  readInstallation,
  updateInstallation,
  type Installation,
} from '../db/installation.ts'
import { peekCatalogue } from '../db/peek-installation.ts'
import { hasScanDays } from '../db/scans/scan-days.ts'
import { errorMessage, FatalError } from '../errors.ts'
import type { Log } from '../log.ts'
import { fingerprintOf } from '../processes/fingerprint.ts'
import { hasScans, readIdentity, writeIdentity } from '../processes/identity-file.ts'
import { knownKeysMax, readKnownKeys, rememberKeys } from '../processes/known-keys-file.ts'
import { markJournals, refuseForeignJournals } from '../processes/journal-owners.ts'

/** Keys of each kind that a line in the log names. */
const loggedMax = 20

const kindOf = ({ clickhouseUrl }: Config): 'embedded' | 'server' =>
  clickhouseUrl === undefined ? 'embedded' : 'server'

/**
 * Compares catalogue, data directory, secret and visitor key before anything is written. Throws a `FatalError` that says what to do when they
 * do not belong together.
 */
export async function refuseStrangers(config: Config, log: Log): Promise<void> {
  const { dataDir, databaseUrl, secret = '' } = config
  const own = readIdentity(dataDir)
  const catalogue = await peekCatalogue({ databaseUrl, dataDir, log })
  const where = databaseUrl === undefined ? `${dataDir}/catalogue.sqlite` : 'the database of DATABASE_URL'
  if (catalogue.state === 'empty') {
    if (own === undefined && !hasScans(dataDir)) return
    throw new FatalError(
      `${where} is missing or empty, but DATA_DIR ${dataDir} holds the scans of an installation that has run: put its catalogue back ` +
        '(./everscan restore FILE, or your own copy), or set another DATA_DIR to begin a new installation.',
    )
  }
  if (catalogue.state !== 'named') return
  const { installation } = catalogue
  if (own !== undefined && own.installation !== installation.id)
    throw new FatalError(
      `DATA_DIR ${dataDir} belongs to installation ${own.installation}, and ${where} to ${installation.id}: set DATA_DIR and DATABASE_URL that ` +
        'belong together. If you mean it: ./everscan adopt data-dir.',
    )
  refuseForeignJournals(dataDir, installation.id)
  if (installation.secretFingerprint !== null && installation.secretFingerprint !== fingerprintOf(secret))
    throw otherSecret(dataDir)
  refuseOtherVisitorKey(config, installation.visitorKeyFingerprint)
  refuseOtherStore(config, installation.scanStore, own?.scanStore)
}

function otherSecret(dataDir: string): FatalError {
  return new FatalError(
    `SECRET is not the one of this installation: set SECRET, or put ${dataDir}/secret back, as on the machine that it was made on ` +
      '(every machine needs the same). If it is lost: ./everscan adopt secret says what that costs.',
  )
}

const otherStore =
  'CLICKHOUSE_URL is missing: this database belongs to a machine with an embedded scan store of its own, and two such stores would each ' +
  'have a part of the scans. Set CLICKHOUSE_URL on all machines; if that machine is gone for good: ./everscan adopt scan-store.'

function refuseOtherStore(config: Config, known: string | null, own: string | undefined): void {
  if (known === null || known === adoptedStore) return
  if (config.clickhouseUrl !== undefined) {
    if (!known.startsWith('embedded:')) return
    throw new FatalError(
      'CLICKHOUSE_URL is set, but the scans of this installation are in the embedded scan store of a data directory: take the setting away, or ' +
        'begin with an empty scan store: ./everscan adopt scan-store.',
    )
  }
  if (known.startsWith('server:'))
    throw new FatalError(
      'CLICKHOUSE_URL is missing: the scans of this installation are on a ClickHouse server. Set it as on the other machines.',
    )
  if (own !== known) throw new FatalError(otherStore)
}

/** Names what has no name yet, and meets a catalogue that is older than this data directory. */
export async function settleIdentity(db: Database, config: Config, log: Log): Promise<void> {
  const { dataDir, secret = '' } = config
  const installation = await ensureInstallation(db)
  const own = readIdentity(dataDir)
  const fingerprint = fingerprintOf(secret)
  const claim = ['secretFingerprint', fingerprint] as const
  if ((await claimFingerprint(db, claim, { notes: [], nowMs: Date.now() })) !== fingerprint)
    throw otherSecret(dataDir)
  await settleVisitorKey(db, config, Date.now())
  let { epoch, pulse } = installation
  const known = readKnownKeys(dataDir, installation.id)
  const { revokedAgain } = await keysSince(db, known)
  const isBehind = own !== undefined && (own.epoch > epoch || own.pulse > pulse)
  if (isBehind || revokedAgain.length > 0) {
    const minutes = Math.max(0, (own?.pulse ?? 0) - pulse)
    log.error(
      { minutes },
      'an older copy of the catalogue was put back: changes since are gone, sessions end, and what waited for webhooks is not sent',
    )
    epoch = Math.max(epoch, own?.epoch ?? 0)
    pulse = Math.max(pulse, own?.pulse ?? 0)
    await updateInstallation(db, { epoch, pulse })
    await addInstallationNote(db, { kind: 'catalogue-behind', detail: { minutes } }, Date.now())
    epoch = await meetOlderCatalogue(db, dataDir, log)
  }
  writeIdentity(dataDir, { ...own, installation: installation.id, epoch, pulse })
  const fronts = Array.from({ length: config.frontProcesses }, (_, index) => `front-${index}`)
  try {
    markJournals(join(dataDir, 'journal'), installation.id, [...fronts, 'kept'])
  } catch (error) {
    // The disk of the journals may be full, and redirects go on then.
    log.warn(
      { error: errorMessage(error) },
      "the folders of the journals could not be marked as this installation's",
    )
  }
}

/** What follows when an older catalogue was put back, and what the owner is told of keys. Gives the new epoch. */
export async function meetOlderCatalogue(db: Database, dataDir: string, log: Log): Promise<number> {
  const { id } = await ensureInstallation(db)
  const known = readKnownKeys(dataDir, id)
  const { epoch, ...keys } = await afterOlderCatalogue(db, { known, nowMs: Date.now() })
  const { revokedAgain, usedSince, madeSince } = keys
  if (revokedAgain.length + usedSince.length + madeSince.length > 0)
    log.error(
      Object.fromEntries(Object.entries(keys).map(([kind, all]) => [kind, all.slice(0, loggedMax)])),
      `${revokedAgain.length} API keys that were revoked since are revoked again, ${madeSince.length} that were made since are refused, ` +
        `${usedSince.length} that are valid were used since: look through the keys, members and passwords, which are as of the copy`,
    )
  return epoch
}

/** Remembers beside the catalogue which keys were revoked and used. */
export async function keepKnownKeys(db: Database, dataDir: string): Promise<void> {
  const installation = await readInstallation(db)
  if (installation !== undefined) rememberKeys(dataDir, installation.id, await latestKeys(db, knownKeysMax))
}

/**
 * Refuses a scan store that is not this installation's, and claims one that is nobody's; before anything else is written to it. Throws an
 * `FatalError` that says what to do.
 */
export async function meetStore(store: ScanStore, db: Database, config: Config): Promise<void> {
  const { dataDir } = config
  const installation = await ensureInstallation(db)
  const found = await readStoreIdentity(store)
  const known = installation.scanStore
  if (known === adoptedStore) {
    const id = `${kindOf(config)}:${randomBytes(8).toString('hex')}`
    await claimStore(store, { installation: installation.id, store: id })
    await updateInstallation(db, { scanStore: id })
    return keepStoreId(config, id)
  }
  await refuseOtherIdentity(installation, found, { db, config })
  const { identities } = found
  const own = readIdentity(dataDir)?.scanStore
  const id =
    known ??
    identities[0]?.store ??
    (kindOf(config) === 'embedded' ? own : undefined) ??
    `${kindOf(config)}:${randomBytes(8).toString('hex')}`
  // The catalogue comes last: what it names is claimed, wherever this is cut off.
  if (!identities.some((one) => one.store === id))
    await claimStore(store, { installation: installation.id, store: id })
  keepStoreId(config, id)
  const claimed = await claimInCatalogue(db, id)
  if (claimed === id) return
  // Another machine was the first.
  if (kindOf(config) === 'embedded') throw new FatalError(otherStore)
  await meetStore(store, db, config)
}

/**
 * Compares a scan store with what catalogue and data directory know of it, and changes nothing. Throws as `meetStore` does.
 */
export async function refuseStrangeStore(store: ScanStore, db: Database, config: Config): Promise<void> {
  const installation = await readInstallation(db)
  if (installation === undefined || installation.scanStore === adoptedStore) return
  await refuseOtherIdentity(installation, await readStoreIdentity(store), { db, config })
}

async function refuseOtherIdentity(
  { id, scanStore: known }: Pick<Installation, 'id' | 'scanStore'>,
  found: Awaited<ReturnType<typeof readStoreIdentity>>,
  { db, config }: { db: Database; config: Config },
): Promise<void> {
  const { dataDir } = config
  const { identities } = found
  if (identities.length > 0 && !identities.some((one) => one.installation === id))
    throw new FatalError(
      `the scan store belongs to installation ${identities[0]?.installation}, and the catalogue to ${id}: ` +
        `${config.clickhouseUrl === undefined ? `put back ${dataDir}/scans` : 'set the CLICKHOUSE_URL'} that belongs to it. If you mean it: ./everscan adopt scan-store.`,
    )
  const own = readIdentity(dataDir)?.scanStore
  if (known !== null && !identities.some((one) => one.store === known)) {
    // Lost parts of an embedded store are put back: the data directory says that it is still the same one.
    const isOwn = kindOf(config) === 'embedded' && own === known && (found.isForgotten || found.hasScans)
    if (!isOwn && (found.hasScans || identities.length > 0))
      throw new FatalError(
        'the scan store is another one than the catalogue knows: put the right one back, or take this one over: ./everscan adopt scan-store.',
      )
    if (!isOwn && (await hasScanDays(db)))
      throw new MissingStoreError(
        'the scan store is empty, but the catalogue knows of scans in it: put it back (is a volume not mounted?), or begin with this one, ' +
          'into which the scans of the last three days are put back: ./everscan adopt scan-store.',
      )
  }
}

/** Where the store is embedded, its data directory knows it too. */
function keepStoreId(config: Config, scanStore: string): void {
  const own = readIdentity(config.dataDir)
  if (kindOf(config) === 'embedded' && own !== undefined && own.scanStore !== scanStore)
    writeIdentity(config.dataDir, { ...own, scanStore })
}

/** The store that the catalogue knows, which is this one if it knew none: of two machines that start at once, one is the first. */
async function claimInCatalogue(db: Database, id: string): Promise<string> {
  return await inTransaction(db, async (tx) => {
    await lockName(tx, 'installation')
    const known = (await readInstallation(tx))?.scanStore ?? null
    if (known !== null) return known
    await updateInstallation(tx, { scanStore: id })
    return id
  })
}

/** Counts the pulse of the installation up, in the catalogue and then in this data directory. */
export async function beat(db: Database, dataDir: string): Promise<void> {
  const next = await inTransaction(db, async (tx) => {
    await lockName(tx, 'installation')
    const known = await readInstallation(tx)
    if (known === undefined) return undefined
    await updateInstallation(tx, { pulse: known.pulse + 1 })
    return { ...known, pulse: known.pulse + 1 }
  })
  const own = readIdentity(dataDir)
  if (next === undefined || own === undefined) return
  writeIdentity(dataDir, { ...own, epoch: next.epoch, pulse: next.pulse })
}
