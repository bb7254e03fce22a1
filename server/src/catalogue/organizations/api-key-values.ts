import { apiKeyPattern, apiKeyPrefix } from '@everscan/contract/resources/api-keys.ts'
import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomChars = 32
const checksumChars = 6
const valueCharsMax = 256

/** How much of a value is shown in lists: the fixed part and four characters. */
const shownChars = 8

/** A new value: `evs_`, 32 random characters of base 62 (190 bits), 6 of checksum. */
export function createApiKeyValue(): string {
  const random = Array.from({ length: randomChars }, () => base62[randomInt(base62.length)]).join('')
  return `${apiKeyPrefix}${random}${checksum(`${apiKeyPrefix}${random}`)}`
}

/**
 * Whether a value can be a key at all: one of our form has a right checksum. Any other text can be: an operator chooses the first
 * key (BOOTSTRAP_API_KEY).
 */
export function isPlausibleApiKey(value: string): boolean {
  if (!apiKeyPattern.test(value)) return value.length > 0 && value.length <= valueCharsMax
  return value.endsWith(checksum(value.slice(0, -checksumChars)))
}

/** What is stored in place of the value. A plain hash is enough for 190 random bits. */
export function hashApiKey(value: string): string {
  return createHash('sha256').update(value).digest('hex')
}

/** The part of a value that may be shown; less of one that we did not make, which may be short. */
export function apiKeyShownPrefix(value: string): string {
  return value.slice(0, apiKeyPattern.test(value) ? shownChars : shownChars / 2)
}

function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let index = 0; index < checksumChars; index++) {
    digits = base62.charAt(rest % base62.length) + digits
    rest = Math.floor(rest / base62.length)
  }
  return digits
}
