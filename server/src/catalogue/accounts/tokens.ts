import { createHash, randomBytes } from 'node:crypto'

const tokenBytes = 32

/** 256 random bits, for whoever has no other proof: 43 characters of base64url. */
export function createToken(): string {
  return randomBytes(tokenBytes).toString('base64url')
}

/** What is stored of a token, which is random enough that a fast hash without salt gives nothing away. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
