// How the text of a setting is read: see config.ts.

/** A whole number within bounds. Like all of these, throws an Error that says what was expected and what came. */
export function whole(text: string | undefined, fallback: number, least: number, most: number): number {
  if (text === undefined) return fallback
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < least || value > most)
    throw new Error(`must be a whole number from ${least} to ${most}, got "${text}"`)
  return value
}

const journalBytesMin = 8 * 1024 ** 2

/** Half of it may be taken by what is ingested and kept, an eighth by what is being written. */
export function journalBytes(text: string | undefined, fronts: number): number {
  if (text === undefined) return 10 * 1024 ** 3
  const value = Number(text)
  const least = fronts * journalBytesMin
  if (!/^\d+$/.test(text) || value < least || !Number.isSafeInteger(value))
    throw new Error(
      `must be a whole number of bytes, at least ${least} (8 MiB for each of FRONT_PROCESSES), got "${text}"`,
    )
  return value
}

export function oneOf<const Value extends string>(
  text: string | undefined,
  values: readonly [Value, ...Value[]],
): Value {
  if (text === undefined) return values[0]
  const found = values.find((value) => value === text)
  if (found === undefined) throw new Error(`must be one of ${values.join(', ')}, got "${text}"`)
  return found
}

export function atLeast(text: string | undefined, charsMin: number): string | undefined {
  // The value itself stays out of the message: it is a secret.
  if (text !== undefined && text.length < charsMin)
    throw new Error(`must have at least ${charsMin} characters`)
  return text
}

export function sender(text: string): string {
  if (/[^\s@]@[^\s@]/.test(text) && !/\p{Cc}/u.test(text)) return text
  throw new Error(`must be an e-mail address, or a name with one: "Everscan <qr@example.com>", got "${text}"`)
}

export function signUp(
  text: string | undefined,
  smtpUrl: string | undefined,
): 'off' | 'open' | readonly string[] {
  if (text === undefined || text === 'off' || text === 'open') return text ?? 'off'
  const domains = text.split(',').map((domain) => domain.trim().toLowerCase())
  const wrong = domains.find((domain) => !/^([a-z0-9-]+\.)+[a-z0-9-]+$/.test(domain))
  if (wrong !== undefined) throw new Error(`must be off, open, or e-mail domains with commas, got "${wrong}"`)
  if (smtpUrl === undefined)
    throw new Error('needs SMTP_URL for domains: otherwise nobody proves to have an address of them')
  return domains
}

export function url(text: string | undefined, protocols: readonly string[]): string | undefined {
  if (text === undefined) return undefined
  // Like above: the value may hold a password.
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol))
    throw new Error(
      `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    )
  return text
}

/** As libpq reads them: the host may be missing, where `?host=` names a directory of sockets. */
export function postgresUrl(text: string | undefined): string | undefined {
  url(text?.replace('@/', '@localhost/'), ['postgres:', 'postgresql:'])
  return text
}

export function origin(text: string): string {
  if (!URL.canParse(text) || !/^https?:\/\//i.test(text))
    throw new Error(`must be a URL that begins with http:// or https://, got "${text}"`)
  const { pathname, search, hash, href } = new URL(text)
  if (pathname !== '/' || search !== '' || hash !== '')
    throw new Error(`must be an address without a path, such as https://example.com, got "${text}"`)
  return href.slice(0, -1)
}
