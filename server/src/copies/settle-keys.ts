import { readFile } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { fingerprintOf } from '../processes/fingerprint.ts'
import { createVisitorKey, visitorKeyOfSecret } from '../processes/visitor-key.ts'
import type { CopyMeta } from './manifest.ts'

/** The keys that a restored installation goes on with. */
export type SettledKeys = {
  secret: string | undefined
  visitorKey: string | undefined
  /** Null: an older release made the copy; the next start settles it. */
  visitorKeyFingerprint: string | null
  /** Another key than before: returning visitors count as unique once more. */
  isNewVisitorKey: boolean
}

type Given = {
  config: Pick<Config, 'secret' | 'visitorKey'>
  /** Of `--visitor-key`. */
  visitorKey: string | undefined
}

/** Throws an Error with a sentence when a key that is needed is missing, or is another one than the copy's. */
export function settleKeys(
  meta: CopyMeta,
  copied: { secret: string | undefined; visitorKey: string | undefined },
  { config, visitorKey: given }: Given,
): SettledKeys {
  const secret = config.secret ?? copied.secret
  if (secret === undefined)
    throw new Error(
      'the copy was made --without-secret: set SECRET to the one of the installation that it was made of.',
    )
  if (meta.secretFingerprint !== null && fingerprintOf(secret) !== meta.secretFingerprint)
    throw new Error(
      'SECRET is not the one of the installation that the copy was made of: set that one' +
        (copied.secret === undefined ? '.' : ', or leave SECRET unset: the copy holds it.'),
    )
  const wanted = meta.visitorKeyFingerprint
  if (wanted === null)
    return { secret, visitorKey: undefined, visitorKeyFingerprint: null, isNewVisitorKey: false }
  const offered = given ?? config.visitorKey
  if (offered !== undefined && fingerprintOf(offered) !== wanted)
    throw new Error(
      `${given === undefined ? 'VISITOR_KEY' : 'the key of --visitor-key'} is not the one of the installation that the copy was made of: give that ` +
        'one; without it a new one is made, and returning visitors count as unique once more.',
    )
  const known = [offered, copied.visitorKey, visitorKeyOfSecret(secret)].find(
    (key) => key !== undefined && fingerprintOf(key) === wanted,
  )
  const visitorKey = known ?? createVisitorKey()
  return {
    secret,
    visitorKey,
    visitorKeyFingerprint: fingerprintOf(visitorKey),
    isNewVisitorKey: known === undefined,
  }
}

/** A key out of a file. Throws an Error with a sentence. */
export async function readVisitorKeyFile(path: string): Promise<string> {
  const key = (await readFile(path, 'utf8')).trim()
  if (key.length < 32) throw new Error(`${path} is no key: it must hold at least 32 characters.`)
  return key
}
