import { apiKeyPattern, apiKeyPrefix } from '@everscan/contract/resources/api-keys.ts'
import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomChars = 32
const checksumChars = 6
const valueCharsMax = 256

/** How much of a value lists show: the fixed part and four characters. */
const shownChars = 8

/** Returns a new value: `evs_`, 32 random characters of base 62 (190 bits), and a checksum of 6. */
export function createApiKeyValue(): string {
  const random = Array.from({ length: randomChars }, () => base62[randomInt(base62.length)]).join('')
  return `${apiKeyPrefix}${random}${checksum(`${apiKeyPrefix}${random}`)}`
}

/**
 * Whether a value can be a key. A value in our format needs a valid checksum. Any other text is
 * possible, because the operator chooses the first key (BOOTSTRAP_API_KEY).
 */
export function isPlausibleApiKey(value: string): boolean {
  if (!apiKeyPattern.test(value)) return value.length > 0 && value.length <= valueCharsMax
  return value.endsWith(checksum(value.slice(0, -checksumChars)))
}

/** Returns the stored form of a value. A plain hash is enough for 190 random bits. */
export function hashApiKey(value: string): string {
  return createHash('sha256').update(value).digest('hex')
}

/**
 * Returns the part of a value that may be shown: less for a value that the operator chose, which
 * may be short.
 */
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
