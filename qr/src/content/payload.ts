/** ISO/IEC 18004 table 5: what the alphanumeric mode can hold, at 5.5 bits a character instead of 8. */
const alphanumericPattern = /^[0-9A-Z $%*+\-./:]*$/

const schemeAndHostPattern = /^https?:\/\/[^/?#]*/i

/**
 * The text that the picture of a short URL encodes.
 *
 * Scheme and host are written in upper case when the whole URL then fits QR's alphanumeric mode, which makes the
 * picture one version smaller in most cases; both are case-insensitive (RFC 3986, 3.1 and 3.2.2), so it leads to
 * the same place. What comes after the host is never touched: a path prefix of `PUBLIC_URL` can be case-sensitive,
 * and chosen short codes are kept as written. A URL that doesn't fit is returned as it is.
 *
 * @example
 * encodePayload('https://example.com/7K3QX9A') // 'HTTPS://EXAMPLE.COM/7K3QX9A'
 * encodePayload('https://example.com/spring') // 'https://example.com/spring'
 */
export function encodePayload(shortUrl: string): string {
  const upperCase = shortUrl.replace(schemeAndHostPattern, (head) => head.toUpperCase())
  return alphanumericPattern.test(upperCase) ? upperCase : shortUrl
}
