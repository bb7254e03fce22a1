/** A host of two labels or more, which may be followed by a port, path, query or fragment. */
const hostAlone = /^[\p{L}\d_][\p{L}\d_-]*(\.[\p{L}\d_-]+)+\.?(:\d+)?([/?#]|$)/u

/**
 * Returns an address as it was meant: people write and paste "www.example.com/menu". Only a host of
 * two labels or more gets https://, and nothing with "@" does, so that what looks like another
 * scheme ("localhost:1", "mailto:a@example.com") stays as it is, which a validation then refuses.
 */
export function withWebScheme(address: string): string {
  const host = address.split(/[/?#]/, 1)[0] ?? ''
  return hostAlone.test(address) && !host.includes('@') ? `https://${address}` : address
}
