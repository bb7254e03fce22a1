import { problem } from '@everscan/contract/problems/problem.ts'
import { randomBytes } from 'node:crypto'
import { basename, join } from 'node:path'
import { readFilesIdentity, writeFilesIdentity } from '../../analytics/files/folder-claim.ts'
import { claimStore, MissingStoreError, readStoreIdentity } from '../../analytics/store/store-identity.ts'
import type { ClickHouse } from '../../analytics/store/clickhouse.ts'
import { keysSince, latestKeys } from '../../catalogue/installation/known-keys.ts'
import { afterOlderCatalogue } from '../../catalogue/installation/older-catalogue.ts'
import { lacksFiles } from './files-identity.ts'
import { scanFilePlaces } from '../../settings/scan-file-places.ts'
import { refuseOtherVisitorKey, settleVisitorKey } from './visitor-key.ts'
import type { Config } from '../../settings/settings.ts'
import { isEmbedded, storeKindOf as kindOf } from '../../settings/store-kind.ts'
import { inTransaction, lockName, type Database } from '../../db/database.ts'
import {
  addInstallationNote,
  adoptedStore,
  claimFingerprint,
  ensureInstallation,
  isMoving,
  readInstallation,
  updateInstallation,
  type Installation,
} from '../../db/installation.ts'
import { peekCatalogue } from '../../db/peek-installation.ts'
import { hasScanDays } from '../../db/scans/scan-days.ts'
import { errorMessage, FatalError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { fingerprintOf } from '../../processes/fingerprint.ts'
import { hasEmbeddedStore, hasScans, readIdentity, writeIdentity } from '../../processes/identity-file.ts'
import { knownKeysMax, readKnownKeys, rememberKeys } from '../../processes/known-keys-file.ts'
import { markJournals, refuseForeignJournals } from '../../processes/journal-owners.ts'

/** Maximum number of keys of each kind that a log line names. */
const loggedMax = 20

/**
 * Compares catalogue, data directory, secret and visitor key before anything is written. Throws an
 * `FatalError` that says what to do if they do not belong together.
 */
export async function refuseForeignParts(config: Config, log: Log): Promise<void> {
  const { dataDir, databaseUrl, secret = '' } = config
  const identity = readIdentity(dataDir)
  const catalogue = await peekCatalogue({ databaseUrl, dataDir, log })
  const where = databaseUrl === undefined ? `${dataDir}/catalogue.sqlite` : 'the database of DATABASE_URL'
  if (catalogue.state === 'empty') {
    if (identity === undefined && !hasScans(dataDir)) return
    throw new FatalError(
      `${where} is missing or empty, but DATA_DIR ${dataDir} holds the scans of an installation: restore its catalogue ` +
        '(./everscan restore FILE, or a copy of your own), or set another DATA_DIR to begin a new installation.',
    )
  }
  if (catalogue.state !== 'named') return
  const { installation } = catalogue
  if (isMoving(installation))
    throw new FatalError(
      `${where} holds an installation that was not moved completely: run ./everscan migrate-store again, or start without DATABASE_URL and CLICKHOUSE_URL.`,
    )
  if (identity !== undefined && identity.installation !== installation.id)
    throw new FatalError(
      `DATA_DIR ${dataDir} belongs to installation ${identity.installation}, and ${where} to ${installation.id}: set a DATA_DIR and a DATABASE_URL that ` +
        'belong together. If this is intended: ./everscan adopt data-dir.',
      { adopts: 'data-dir' },
    )
  refuseForeignJournals(dataDir, installation.id)
  if (installation.secretFingerprint !== null && installation.secretFingerprint !== fingerprintOf(secret))
    throw otherSecret(dataDir)
  refuseOtherVisitorKey(config, installation.visitorKeyFingerprint)
  refuseOtherStore(config, installation.scanStore, identity?.scanStore)
}

function otherSecret(dataDir: string): FatalError {
  return new FatalError(
    `SECRET is not the one of this installation: set SECRET, or restore ${dataDir}/secret, to the value of the machine on which it was made ` +
      '(every machine needs the same value). If it is lost: ./everscan adopt secret --help says what that costs.',
    { adopts: 'secret' },
  )
}

const otherStore = problem('scanStoreSecond')

function refuseOtherStore(config: Config, known: string | null, dataDirStore: string | undefined): void {
  if (known === null || known === adoptedStore) return
  const isKnownServer = known.startsWith('server:')
  const isServer = kindOf(config) === 'server'
  if (!isServer && isKnownServer)
    throw new FatalError(
      'CLICKHOUSE_URL is missing: the scans of this installation are on a ClickHouse server. Set it to the value of the other machines.',
    )
  if (isServer && !isKnownServer)
    throw new FatalError(
      'CLICKHOUSE_URL is set, but the scans of this installation are in a data directory: remove the setting, or ' +
        'begin with an empty scan store: ./everscan adopt scan-store.',
      { adopts: 'scan-store' },
    )
  if (!isServer && dataDirStore !== known) throw new FatalError(otherStore, { adopts: 'scan-store' })
}

/**
 * Gives an identity to parts that have none yet, and handles a catalogue that is older than this
 * data directory.
 */
export async function settleIdentity(db: Database, config: Config, log: Log): Promise<void> {
  const { dataDir, secret = '' } = config
  const installation = await ensureInstallation(db)
  const identity = readIdentity(dataDir)
  const fingerprint = fingerprintOf(secret)
  const claim = ['secretFingerprint', fingerprint] as const
  if ((await claimFingerprint(db, claim, { notes: [], nowMs: Date.now() })) !== fingerprint)
    throw otherSecret(dataDir)
  await settleVisitorKey(db, config, Date.now())
  let { epoch, pulse } = installation
  const known = readKnownKeys(dataDir, installation.id)
  const { revokedAgain } = await keysSince(db, known)
  const isBehind = identity !== undefined && (identity.epoch > epoch || identity.pulse > pulse)
  if (isBehind || revokedAgain.length > 0) {
    const minutes = Math.max(0, (identity?.pulse ?? 0) - pulse)
    log.error(
      { minutes },
      'an older copy of the catalogue was restored: later changes are gone, sessions end, and pending webhook deliveries are not sent',
    )
    epoch = Math.max(epoch, identity?.epoch ?? 0)
    pulse = Math.max(pulse, identity?.pulse ?? 0)
    await updateInstallation(db, { epoch, pulse })
    await addInstallationNote(db, { kind: 'catalogue-behind', detail: { minutes } }, Date.now())
    epoch = await handleOlderCatalogue(db, dataDir, log)
  }
  const machine = identity?.machine ?? `machine-${randomBytes(8).toString('hex')}`
  writeIdentity(dataDir, { ...identity, installation: installation.id, epoch, pulse, machine })
  const fronts = Array.from({ length: config.frontProcesses }, (_, index) => `front-${index}`)
  try {
    const kept = kindOf(config) === 'files' ? basename(scanFilePlaces(config).records) : 'kept'
    markJournals(join(dataDir, 'journal'), installation.id, [...fronts, kept])
  } catch (error) {
    // The disk of the journals may be full; redirects go on then.
    log.warn(
      { error: errorMessage(error) },
      'the journal folders could not be marked as those of this installation',
    )
  }
}

/** Handles the restore of an older catalogue, logs affected keys, returns the new epoch. */
export async function handleOlderCatalogue(db: Database, dataDir: string, log: Log): Promise<number> {
  const { id } = await ensureInstallation(db)
  const known = readKnownKeys(dataDir, id)
  const { epoch, ...keys } = await afterOlderCatalogue(db, { known, nowMs: Date.now() })
  const { revokedAgain, usedSince, madeSince } = keys
  if (revokedAgain.length + usedSince.length + madeSince.length > 0)
    log.error(
      Object.fromEntries(Object.entries(keys).map(([kind, all]) => [kind, all.slice(0, loggedMax)])),
      `since the copy was made, ${revokedAgain.length} API keys were revoked and are now revoked again, ${madeSince.length} were created and are now refused, ` +
        `and ${usedSince.length} valid ones were used: check the keys, members and passwords, which are those of the copy`,
    )
  return epoch
}

/** Saves in the data directory which keys were revoked and used. */
export async function saveKnownKeys(db: Database, dataDir: string): Promise<void> {
  const installation = await readInstallation(db)
  if (installation !== undefined) rememberKeys(dataDir, installation.id, await latestKeys(db, knownKeysMax))
}

/**
 * Refuses a scan store of another installation, and claims one without an owner, before anything
 * else is written to it. Throws a `FatalError` that says what to do.
 */
export async function verifyAndClaimStore(store: ClickHouse, db: Database): Promise<void> {
  const installation = await ensureInstallation(db)
  const found = await readStoreIdentity(store)
  const known = installation.scanStore
  if (known === adoptedStore) {
    const id = newServerId()
    await claimStore(store, { installation: installation.id, store: id })
    await updateInstallation(db, { scanStore: id })
    return
  }
  await refuseOtherIdentity(installation, found, db)
  const { identities } = found
  const id = known ?? identities[0]?.store ?? newServerId()
  // The catalogue comes last: even after an interruption, a store that it names is claimed.
  if (!identities.some((one) => one.store === id))
    await claimStore(store, { installation: installation.id, store: id })
  // Another machine may have claimed a store first.
  if ((await claimInCatalogue(db, id)) !== id) await verifyAndClaimStore(store, db)
}

const newServerId = (): string => `server:${randomBytes(8).toString('hex')}`

/**
 * Refuses files of another installation, and claims those without an owner, before anything else is
 * written to them. Throws a `FatalError` that says what to do, also if another machine of the
 * installation has its scans in files.
 */
export async function claimFiles(db: Database, config: Config): Promise<void> {
  const places = scanFilePlaces(config)
  const { id: installation, scanStore: known } = await ensureInstallation(db)
  const isAdopted = known === adoptedStore
  await refuseForeignFiles(db, config)
  const found = readFilesIdentity(places)
  const store = (isAdopted ? undefined : (known ?? found?.store)) ?? `files:${randomBytes(8).toString('hex')}`
  // The catalogue comes last: even after an interruption, a folder that it names is claimed.
  if (found?.installation !== installation || found.store !== store)
    await writeFilesIdentity(places, { installation, store })
  // The next recovery counts anew what the files have.
  if (isAdopted) await updateInstallation(db, { scanStore: store, scansCountedAtMs: null })
  saveStoreId(config, store)
  if ((await claimInCatalogue(db, store)) !== store)
    throw new FatalError(otherStore, { adopts: 'scan-store' })
}

/**
 * Compares the folders of scans in files with the catalogue, and changes nothing. Throws like
 * `claimFiles`.
 */
export async function refuseForeignFiles(db: Database, config: Config): Promise<void> {
  const installation = await readInstallation(db)
  if (installation === undefined || installation.scanStore === adoptedStore) return
  const { id, scanStore: known, scansCountedAtMs } = installation
  if (known === null ? hasEmbeddedStore(config.dataDir) : isEmbedded(known))
    throw new MissingStoreError(problem('scanStoreOld'), { adopts: 'scan-store' })
  const places = scanFilePlaces(config)
  const found = readFilesIdentity(places)
  if (found !== undefined && found.installation !== id)
    throw new FatalError(
      problem('scanStoreForeign', { owner: found.installation, installation: id, dir: places.segments }),
      { adopts: 'scan-store' },
    )
  if (found !== undefined && known !== null && found.store !== known)
    throw new FatalError(problem('scanStoreOther'), { adopts: 'scan-store' })
  // An adopted folder may be empty until the next recovery has counted what it has.
  if (scansCountedAtMs !== null && (await lacksFiles(db, places)))
    throw new MissingStoreError(problem('scanStoreEmpty'), { adopts: 'scan-store' })
}

/**
 * Compares a scan store with the records of catalogue and data directory, and changes nothing.
 * Throws like `verifyAndClaimStore`.
 */
export async function refuseForeignStore(store: ClickHouse, db: Database): Promise<void> {
  const installation = await readInstallation(db)
  if (installation === undefined || installation.scanStore === adoptedStore) return
  await refuseOtherIdentity(installation, await readStoreIdentity(store), db)
}

async function refuseOtherIdentity(
  { id, scanStore: known }: Pick<Installation, 'id' | 'scanStore'>,
  found: Awaited<ReturnType<typeof readStoreIdentity>>,
  db: Database,
): Promise<void> {
  const { identities } = found
  if (identities.length > 0 && !identities.some((one) => one.installation === id))
    throw new FatalError(
      problem('scanServerForeign', { owner: identities[0]?.installation ?? '', installation: id }),
      { adopts: 'scan-store' },
    )
  if (known === null || identities.some((one) => one.store === known)) return
  if (found.hasScans || identities.length > 0)
    throw new FatalError(problem('scanStoreOther'), { adopts: 'scan-store' })
  if (await hasScanDays(db)) throw new MissingStoreError(problem('scanStoreEmpty'), { adopts: 'scan-store' })
}

/** Saves the id of the store of a data directory in it. */
function saveStoreId({ dataDir }: Config, scanStore: string): void {
  const identity = readIdentity(dataDir)
  if (identity !== undefined && identity.scanStore !== scanStore)
    writeIdentity(dataDir, { ...identity, scanStore })
}

/**
 * Records the store in the catalogue if it names none, and returns the store that it names: if two
 * machines start at once, one wins.
 */
async function claimInCatalogue(db: Database, id: string): Promise<string> {
  return await inTransaction(db, async (tx) => {
    await lockName(tx, 'installation')
    const known = (await readInstallation(tx))?.scanStore ?? null
    if (known !== null) return known
    await updateInstallation(tx, { scanStore: id })
    return id
  })
}

/** Increments the pulse of the installation, in the catalogue and then in this data directory. */
export async function incrementPulse(db: Database, dataDir: string): Promise<void> {
  const next = await inTransaction(db, async (tx) => {
    await lockName(tx, 'installation')
    const known = await readInstallation(tx)
    if (known === undefined) return undefined
    await updateInstallation(tx, { pulse: known.pulse + 1 })
    return { ...known, pulse: known.pulse + 1 }
  })
  const identity = readIdentity(dataDir)
  if (next === undefined || identity === undefined) return
  writeIdentity(dataDir, { ...identity, epoch: next.epoch, pulse: next.pulse })
}

/** Saves the name under which this machine reported: its next report replaces the one before. */
export function rememberMachineName(dataDir: string, machineName: string): void {
  const identity = readIdentity(dataDir)
  if (identity !== undefined && identity.machineName !== machineName)
    writeIdentity(dataDir, { ...identity, machineName })
}
