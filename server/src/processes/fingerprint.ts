import { hash } from 'node:crypto'

/** Returns a fingerprint that distinguishes secrets and reveals nothing else about them. */
export function fingerprintOf(secret: string): string {
  return hash('sha256', `everscan fingerprint ${secret}`, 'hex').slice(0, 32)
}
