import type { IncomingHttpHeaders } from 'node:http'
import { scanHints } from '../journal/raw-scan.ts'
import { appOf, deviceHintsOf } from './visitors/client-hints.ts'

/** The parts of a request's headers that a scan keeps. Source: decisions, "Scans and analytics". */
export type ScanHeaders = {
  /** At most 512 characters. */
  userAgent: string
  /** Host of the referring page, lower case, at most 255 characters; empty if there is none. */
  referrerHost: string
  /** First language of `Accept-Language`, at most 35 characters (RFC 5646's longest tag in use). */
  language: string
  /** The browser or app that other headers name (`appOf`), empty if none. */
  app: string
  /** The sum of the flags of `scanHints`. */
  hints: number
}

const userAgentCharsMax = 512
const languageCharsMax = 35

/** `publicHost` is PUBLIC_URL's, with its port if that is not the default. */
export function readScanHeaders(headers: IncomingHttpHeaders, publicHost: string): ScanHeaders {
  const { referer, 'user-agent': userAgent = '', 'accept-language': language } = headers
  return {
    userAgent: userAgent.length > userAgentCharsMax ? userAgent.slice(0, userAgentCharsMax) : userAgent,
    referrerHost: referer === undefined ? '' : hostOf(referer),
    language: language === undefined ? '' : firstLanguage(language),
    app: appOf(headers),
    hints:
      hintsOf(headers) |
      deviceHintsOf(headers) |
      (isHost(headers.host, publicHost) ? 0 : scanHints.otherHost),
  }
}

/** Parts that a page loads: nobody opened the link. Source: Fetch, "request destination". */
const embedded = new Set(['audio', 'font', 'image', 'manifest', 'script', 'style', 'track', 'video'])

/**
 * Reads the headers that browsers send while the user has not opened the link: to load it
 * beforehand, to show a preview of it, or because a page contains it, as in `<img>`.
 */
function hintsOf(headers: IncomingHttpHeaders): number {
  const destination = headers['sec-fetch-dest']
  // Nearly every scan says `document`, which needs no look into the set.
  const isEmbedded = destination !== undefined && destination !== 'document' && embedded.has(destination)
  return purposeOf(headers) | (isEmbedded ? scanHints.preview : 0)
}

function purposeOf(headers: IncomingHttpHeaders): number {
  const purpose = headers['sec-purpose'] ?? headers['purpose'] ?? headers['x-purpose'] ?? headers['x-moz']
  if (purpose === undefined) return 0
  const text = String(purpose).toLowerCase()
  return (
    (text.includes('prefetch') ? scanHints.prefetch : 0) | (text.includes('preview') ? scanHints.preview : 0)
  )
}

/** Whether a request names a host. Phones send it as they read it, in upper case. */
function isHost(named: string | undefined, host: string): boolean {
  return named === host || (named?.length === host.length && named.toLowerCase() === host)
}

function hostOf(url: string): string {
  const match = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#:@]+)/i.exec(url.slice(0, 2048))
  return match?.[1] === undefined ? '' : match[1].toLowerCase().slice(0, 255)
}

/**
 * Returns `de-DE` for `de-DE,de;q=0.9`: the characters before the first that no language tag has.
 * It is written by hand, because it runs for each scan.
 */
function firstLanguage(value: string): string {
  let end = 0
  for (; end < value.length && end < languageCharsMax; end++) {
    const c = value.charCodeAt(end)
    const letter = (c >= 65 && c <= 90) || (c >= 97 && c <= 122)
    if (!letter && !(c >= 48 && c <= 57) && c !== 45) break
  }
  return value.slice(0, end)
}
