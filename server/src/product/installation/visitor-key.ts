import type { Config } from '../../settings/settings.ts'
import { isShared, type Database } from '../../db/database.ts'
import {
  claimFingerprint,
  hasHadScans,
  readInstallation,
  type InstallationNote,
} from '../../db/installation.ts'
import { FatalError } from '../../errors.ts'
import { visitorKeyFile, writeVisitorKey } from '../../processes/data-dir.ts'
import { hasScans } from '../../processes/identity-file.ts'
import {
  createVisitorKey,
  givenVisitorKey,
  visitorKeyOfSecret,
  type GivenVisitorKey,
} from '../../processes/visitor-key.ts'
import { fingerprintOf } from '../../processes/fingerprint.ts'

/**
 * Throws a `FatalError` that says what to do if the visitor key is missing, or is not the one
 * of the installation.
 */
export function refuseOtherVisitorKey(config: Config, fingerprint: string | null): void {
  if (fingerprint === null) return
  const given = givenVisitorKey(config)
  const key = given?.key ?? visitorKeyOfSecret(config.secret ?? '')
  if (fingerprintOf(key) !== fingerprint) throw otherVisitorKey(config, given)
}

function otherVisitorKey(config: Config, given: GivenVisitorKey | undefined): FatalError {
  const path = visitorKeyFile(config.dataDir)
  const putBack =
    config.databaseUrl !== undefined
      ? 'copy DATA_DIR/visitor-key from the first machine, or set VISITOR_KEY on all of them'
      : 'restore it from a copy, or set VISITOR_KEY to its content'
  const found = {
    setting:
      'VISITOR_KEY is not the visitor key of this installation: set the former value, or remove the setting if it had none',
    file: `${path} is not the visitor key of this installation: ${putBack}`,
    none: `${path} is missing, and scans of this installation were recorded with its key: ${putBack}`,
  }[given?.source ?? 'none']
  return new FatalError(
    `${found}. If the key is lost, or to change it: ./everscan visitor-key --new makes every visitor count as unique once more.`,
  )
}

/**
 * Finds or makes the visitor key, and stores its fingerprint in the catalogue. If scans exist that
 * earlier releases recorded, the key is derived from SECRET, as those releases did; machines that
 * share a catalogue derive it as well. Throws a `FatalError` if another machine was first,
 * with another key.
 */
export async function settleVisitorKey(db: Database, config: Config, nowMs: number): Promise<void> {
  const { dataDir, secret = '' } = config
  const known = (await readInstallation(db))?.visitorKeyFingerprint ?? null
  const isUsed = hasScans(dataDir) || (await hasHadScans(db))
  const ofSecret = visitorKeyOfSecret(secret)
  const given = givenVisitorKey(config)
  const isMade = given === undefined && known === null && !isShared(db) && !isUsed
  const key = given?.key ?? (isMade ? createVisitorKey() : ofSecret)
  // A random key is on disk before the catalogue names it. A key from SECRET can be derived again,
  // and may still be refused.
  if (isMade) writeVisitorKey(dataDir, key)
  const notes: InstallationNote[] = [
    { kind: 'visitors-by-64', detail: {} },
    ...(key === ofSecret ? [] : [{ kind: 'visitor-key', detail: { reason: 'replaced' } } as const]),
  ]
  const fingerprint = fingerprintOf(key)
  const claim = ['visitorKeyFingerprint', fingerprint] as const
  const claimed = await claimFingerprint(db, claim, { notes: isUsed ? notes : [], nowMs })
  if (claimed !== fingerprint) throw otherVisitorKey(config, given)
  if (given === undefined && !isMade) writeVisitorKey(dataDir, key)
}
