/** The characters of the alphanumeric mode (ISO/IEC 18004, table 5), at 5.5 bits instead of 8. */
const alphanumericPattern = /^[0-9A-Z $%*+\-./:]*$/

const schemeAndHostPattern = /^https?:\/\/[^/?#]*/i

/**
 * Returns the text that the picture of a short URL encodes.
 *
 * Scheme and host become upper case if the whole URL then fits the alphanumeric mode, which makes
 * the picture one version smaller in most cases. Both are case-insensitive (RFC 3986, 3.1 and
 * 3.2.2), so the URL leads to the same place. The part after the host stays as it is: a path prefix
 * of `PUBLIC_URL` can be case-sensitive, and custom short codes keep their case. A URL that doesn't
 * fit is returned unchanged.
 *
 * @example
 * encodePayload('https://example.com/7K3QX9A') // 'HTTPS://EXAMPLE.COM/7K3QX9A'
 * encodePayload('https://example.com/spring') // 'https://example.com/spring'
 */
export function encodePayload(shortUrl: string): string {
  const upperCase = shortUrl.replace(schemeAndHostPattern, (head) => head.toUpperCase())
  return alphanumericPattern.test(upperCase) ? upperCase : shortUrl
}
