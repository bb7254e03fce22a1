import { hash, randomBytes } from 'node:crypto'
import type { Config } from '../settings/settings.ts'
import { readVisitorKey } from './data-dir.ts'

/** A key of the visitor hash, and its source. */
export type GivenVisitorKey = { key: string; source: 'setting' | 'file' }

/** Returns the visitor key of setting or file, if there is one. Throws if the file is damaged. */
export function givenVisitorKey({
  visitorKey,
  dataDir,
}: Pick<Config, 'visitorKey' | 'dataDir'>): GivenVisitorKey | undefined {
  if (visitorKey !== undefined) return { key: visitorKey, source: 'setting' }
  const key = readVisitorKey(dataDir)
  return key === undefined ? undefined : { key, source: 'file' }
}

/** Returns a new visitor key of 64 hexadecimal characters. */
export function createVisitorKey(): string {
  return randomBytes(32).toString('hex')
}

/**
 * Derives the visitor key from SECRET, as releases up to 0.1 did: it is not a secret of its own.
 * Existing installations keep it, so that returning visitors stay the same. Machines that share a
 * catalogue derive the same key without another setting.
 */
export function visitorKeyOfSecret(secret: string): string {
  return hash('sha256', `everscan visitor ${secret}`, 'hex')
}
