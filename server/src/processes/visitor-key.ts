import { hash, randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import { readVisitorKey } from './data-dir.ts'

/** A key of the visitor hash, and where it was found. */
export type GivenVisitorKey = { key: string; source: 'setting' | 'file' }

/** The visitor key that the operator or an earlier start left; `undefined`: neither did. Throws an Error when the file is damaged. */
export function givenVisitorKey({
  visitorKey,
  dataDir,
}: Pick<Config, 'visitorKey' | 'dataDir'>): GivenVisitorKey | undefined {
  if (visitorKey !== undefined) return { key: visitorKey, source: 'setting' }
  const key = readVisitorKey(dataDir)
  return key === undefined ? undefined : { key, source: 'file' }
}

/** A new visitor key: 64 hexadecimal characters. */
export function createVisitorKey(): string {
  return randomBytes(32).toString('hex')
}

/**
 * The visitor key made from SECRET, as releases up to 0.1 had it: no secret of its own. Existing installations keep it, so that
 * returning visitors stay the same, and machines that share a catalogue come to the same key by themselves.
 */
export function visitorKeyOfSecret(secret: string): string {
  return hash('sha256', `everscan visitor ${secret}`, 'hex')
}
