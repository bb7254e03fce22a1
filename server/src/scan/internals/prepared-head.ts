import { STATUS_CODES, validateHeaderValue, type ServerResponse } from 'node:http'

/** How long an idle connection stays open. Every head contains it in seconds. */
export const keepAliveMs = 65_000
const connectionLines = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveMs / 1000}\r\n\r\n`

/**
 * The property in which Node keeps the head that it sends before the body; `writeHead` sets it. It
 * is undocumented: see docs/adr/0029.
 */
const nodesHead = '_header'
type WithHead = { [nodesHead]: string }

/** The lines that every head ends with, until the second that they name is over. */
let endLines: string | undefined

/**
 * Returns the beginning of a response, up to the lines that are the same for all: its status line
 * and its own headers. `headers` alternates names and values. Throws a TypeError if a value has a
 * character that is not allowed (RFC 9110, 5.5).
 */
export function prepareHead(status: number, headers: readonly string[]): string {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`]
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const [name = '', value = ''] = headers.slice(i, i + 2)
    validateHeaderValue(name, value)
    lines.push(`${name}: ${value}\r\n`)
  }
  return lines.join('')
}

/** Returns the status and the headers of a prepared head, as `writeHead` takes them. */
export function readHead(head: string): { status: number; headers: string[] } {
  const [statusLine = '', ...lines] = head.trimEnd().split('\r\n')
  const headers = lines.flatMap((line) => {
    const end = line.indexOf(':')
    return [line.slice(0, end), line.slice(end + 2)]
  })
  return { status: Number(statusLine.split(' ')[1]), headers }
}

/**
 * Gives a response its prepared head. Node would check and join the same headers again, which is
 * about 4 % of the cost of a redirect (measured). A response that ends its connection says so in
 * its head, so Node writes that head as usual.
 */
export function writePreparedHead(response: ServerResponse, head: string): void {
  if (response.shouldKeepAlive) {
    endLines ??= makeEndLines()
    ;(response as unknown as WithHead)[nodesHead] = head + endLines
    return
  }
  const { status, headers } = readHead(head)
  response.writeHead(status, headers)
}

function makeEndLines(): string {
  const now = new Date()
  setTimeout(forgetEndLines, 1_000 - now.getMilliseconds()).unref()
  return `Date: ${now.toUTCString()}\r\n${connectionLines}`
}

function forgetEndLines(): void {
  endLines = undefined
}
