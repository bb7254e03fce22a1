import { scanHints } from '../journal/raw-scan.ts'

/** What of a request's headers a scan keeps. Source: decisions, "Scans and analytics". */
export type ScanHeaders = {
  /** At most 512 characters. */
  userAgent: string
  /** Host of the referring page, lower case, at most 255 characters; empty when there is none. */
  referrerHost: string
  /** First language of `Accept-Language`, at most 35 characters (RFC 5646's longest tag in use). */
  language: string
  /** Flags of `scanHints`, added up. */
  hints: number
  forwardedFor: string | undefined
}

const userAgentCharsMax = 512

/**
 * Reads the raw list of names and values: `request.headers` would build an object of all of them, which costs more than
 * all the rest of a scan (measured). Names are told apart by length first.
 */
export function readScanHeaders(raw: readonly string[]): ScanHeaders {
  const found: ScanHeaders = {
    userAgent: '',
    referrerHost: '',
    language: '',
    hints: 0,
    forwardedFor: undefined,
  }
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] as string
    switch (name.length) {
      case 5: // x-moz
      case 7: // referer, purpose
      case 9: // x-purpose
      case 10: // user-agent
      case 11: // sec-purpose
      case 15: // accept-language, x-forwarded-for
        readHeader(found, name, raw[i + 1] as string)
    }
  }
  return found
}

function readHeader(found: ScanHeaders, name: string, value: string): void {
  switch (name.toLowerCase()) {
    case 'user-agent':
      found.userAgent = value.length > userAgentCharsMax ? value.slice(0, userAgentCharsMax) : value
      return
    case 'referer':
      found.referrerHost = referrerHost(value)
      return
    case 'accept-language':
      found.language = firstLanguage(value)
      return
    case 'purpose':
    case 'x-purpose':
    case 'sec-purpose':
    case 'x-moz':
      found.hints |= hintsOf(value.toLowerCase())
      return
    case 'x-forwarded-for':
      // Several lines are one list (RFC 9110, section 5.3).
      found.forwardedFor = found.forwardedFor === undefined ? value : `${found.forwardedFor},${value}`
  }
}

function hintsOf(purpose: string): number {
  return (
    (purpose.includes('prefetch') ? scanHints.prefetch : 0) |
    (purpose.includes('preview') ? scanHints.preview : 0)
  )
}

function referrerHost(value: string): string {
  const match = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:@]+)/i.exec(value.slice(0, 2048))
  return match?.[1] === undefined ? '' : match[1].toLowerCase().slice(0, 255)
}

function firstLanguage(value: string): string {
  return /^\s*([A-Za-z0-9-]{1,35})/.exec(value)?.[1] ?? ''
}
