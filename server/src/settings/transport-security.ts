/** How long browsers keep to https after an answer: a year, in seconds. */
export const transportSecuritySeconds = 31_536_000

/**
 * Returns the value of `Strict-Transport-Security` (RFC 6797) for every answer; undefined if
 * PUBLIC_URL is not on https, because on localhost the header would lock people out of their other
 * servers. It does not include subdomains, which may be hosts of others that have no https.
 */
export function transportSecurity(publicUrl: string): string | undefined {
  return publicUrl.startsWith('https:') ? `max-age=${transportSecuritySeconds}` : undefined
}
