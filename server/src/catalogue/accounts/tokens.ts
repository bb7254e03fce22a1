import { createHash, randomBytes } from 'node:crypto'

const tokenBytes = 32

/** Returns 256 random bits as 43 characters of base64url, for a bearer without other proof. */
export function createToken(): string {
  return randomBytes(tokenBytes).toString('base64url')
}

/**
 * Returns the stored form of a token. A token is random enough that a fast hash without salt is
 * safe.
 */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
