import { readFile } from 'node:fs/promises'
import type { Config } from '../settings/settings.ts'
import { fingerprintOf } from '../processes/fingerprint.ts'
import { createVisitorKey, visitorKeyOfSecret } from '../processes/visitor-key.ts'
import type { CopyMeta } from './manifest.ts'

/** The keys of a restored installation. */
export type SettledKeys = {
  secret: string | undefined
  visitorKey: string | undefined
  /** Null if an older release made the copy; the next start then settles the key. */
  visitorKeyFingerprint: string | null
  /** Whether the key is new: then returning visitors count as unique once more. */
  isNewVisitorKey: boolean
}

type Given = {
  config: Pick<Config, 'secret' | 'visitorKey'>
  /** The key of `--visitor-key`. */
  visitorKey: string | undefined
}

/**
 * Chooses the keys. Throws an Error with a sentence if a required key is missing, or differs from
 * that of the copy.
 */
export function settleKeys(
  meta: CopyMeta,
  copied: { secret: string | undefined; visitorKey: string | undefined },
  { config, visitorKey: given }: Given,
): SettledKeys {
  const secret = config.secret ?? copied.secret
  if (secret === undefined)
    throw new Error('the copy was made --without-secret: set SECRET to that of the copied installation.')
  if (meta.secretFingerprint !== null && fingerprintOf(secret) !== meta.secretFingerprint)
    throw new Error(
      'SECRET is not that of the copied installation: set SECRET to that value' +
        (copied.secret === undefined ? '.' : ', or leave SECRET unset: the copy holds it.'),
    )
  const expected = meta.visitorKeyFingerprint
  if (expected === null)
    return { secret, visitorKey: undefined, visitorKeyFingerprint: null, isNewVisitorKey: false }
  const offered = given ?? config.visitorKey
  if (offered !== undefined && fingerprintOf(offered) !== expected)
    throw new Error(
      `${given === undefined ? 'VISITOR_KEY' : 'the key of --visitor-key'} is not that of the copied installation: give that ` +
        'key; without it, a new one is made, and returning visitors count as unique once more.',
    )
  const known = [offered, copied.visitorKey, visitorKeyOfSecret(secret)].find(
    (key) => key !== undefined && fingerprintOf(key) === expected,
  )
  const visitorKey = known ?? createVisitorKey()
  return {
    secret,
    visitorKey,
    visitorKeyFingerprint: fingerprintOf(visitorKey),
    isNewVisitorKey: known === undefined,
  }
}

/** Reads a key from a file. Throws an Error with a sentence if it is too short. */
export async function readVisitorKeyFile(path: string): Promise<string> {
  const key = (await readFile(path, 'utf8')).trim()
  if (key.length < 32) throw new Error(`${path} is not a key: it must hold at least 32 characters.`)
  return key
}
