// Parsers for the texts of settings: see config.ts. Each throws an Error that says what was
// expected and what came.

import { Resolver } from 'node:dns'
import { readFileSync } from 'node:fs'
import { storeUrls } from './store-urls.ts'

export function wholeNumber(text: string | undefined, fallback: number, min: number, max: number): number {
  if (text === undefined) return fallback
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new Error(`must be a whole number from ${min} to ${max}, got "${text}"`)
  return value
}

const journalBytesMin = 8 * 1024 ** 2

/** Retained ingested segments may take half of these bytes, the open segment an eighth. */
export function journalBytes(text: string | undefined, fronts: number): number {
  if (text === undefined) return 10 * 1024 ** 3
  const value = Number(text)
  const min = fronts * journalBytesMin
  if (!/^\d+$/.test(text) || value < min || !Number.isSafeInteger(value))
    throw new Error(
      `must be a whole number of bytes, at least ${min} (8 MiB for each of FRONT_PROCESSES), got "${text}"`,
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
  // The message withholds the value: it is a secret.
  if (text !== undefined && text.length < charsMin)
    throw new Error(`must have at least ${charsMin} characters`)
  return text
}

/** Addresses of DNS servers, each with an optional port. */
export function dnsServers(text: string | undefined): readonly string[] {
  if (text === undefined) return []
  const servers = text.split(',').map((server) => server.trim())
  try {
    new Resolver().setServers(servers)
    return servers
  } catch {
    throw new Error(
      `must be IP addresses separated by commas, each with an optional port: 192.0.2.53,[2001:db8::53]:5353, got "${text}"`,
    )
  }
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
  if (wrong !== undefined)
    throw new Error(`must be off, open, or e-mail domains separated by commas, got "${wrong}"`)
  if (smtpUrl === undefined)
    throw new Error('needs SMTP_URL for domains: without mail, people cannot prove their address')
  return domains
}

export function url(text: string | undefined, protocols: readonly string[]): string | undefined {
  if (text === undefined) return undefined
  // The message withholds the value: it may hold a password.
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol))
    throw new Error(
      `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    )
  return text
}

/** Accepts the address of a ClickHouse server, or of several, with commas between their hosts. */
export function storeUrl(text: string | undefined): string | undefined {
  for (const one of text?.includes(',') === true ? storeUrls(text) : [text]) url(one, ['http:', 'https:'])
  return text
}

/** Accepts an https address or a mail address as `mailto:`, of RFC 9116's `Contact`. */
export function contact(text: string): string {
  if (/^(https:\/\/|mailto:[^\s@]+@)[^\s]+$/.test(text) && URL.canParse(text)) return text
  throw new Error('must begin with https:// or mailto:, like mailto:security@example.com')
}

/** Accepts the URLs of libpq: the host may be missing if `?host=` names a directory of sockets. */
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

/**
 * Returns the only line of a file, without white space around it. Throws an Error that withholds
 * the content: it is a secret.
 */
function secretFile(path: string): string {
  const text = readText(path).trim()
  if (text === '') throw new Error(`must name a file with the secret, but "${path}" is empty`)
  if (/\p{Cc}/u.test(text)) throw new Error(`"${path}" must hold one line of text, the secret`)
  return text
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException
    throw new Error(`cannot read "${path}" (${code})`, { cause: error })
  }
}

/**
 * Returns the environment with the contents of the files that NAME_FILE names, as NAME. Only the
 * first process of a service or command opens these files: children get NAME, like from an
 * environment that always had it.
 */
export function withSecretFiles(env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv {
  const environment = { ...env }
  for (const name of names) {
    const fileName = `${name}_FILE`
    const path = env[fileName]?.trim() ?? ''
    if (path === '') continue
    if ((env[name]?.trim() ?? '') !== '')
      throw new Error(`${fileName}: ${name} is set, too; set one of them, and remove the other`)
    try {
      environment[name] = secretFile(path)
    } catch (error) {
      throw new Error(`${fileName}: ${(error as Error).message}`, { cause: error })
    }
    delete environment[fileName]
  }
  return environment
}
