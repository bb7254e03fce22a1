import type { IncomingHttpHeaders } from 'node:http'
import type { System } from '@everscan/contract/code-types/code-type.ts'
import { readAcceptLanguage } from '@everscan/pages/visitor-language.ts'
import type { ScanVisitor } from './scan-answer.ts'

const languageCharsMax = 200

/** Reads the parts of a request's headers that pages and links depend on. */
export function readVisitor(headers: IncomingHttpHeaders): ScanVisitor {
  const {
    'accept-language': wanted = '',
    'accept-encoding': encodings = '',
    'user-agent': userAgent = '',
  } = headers
  const header = wanted.slice(0, languageCharsMax)
  const { language, locale } = readAcceptLanguage(header)
  return {
    language,
    locale,
    wanted: header,
    system: systemOf(userAgent),
    acceptsGzip: acceptsGzip(encodings),
  }
}

function systemOf(userAgent: string): System {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios'
  return userAgent.includes('Android') ? 'android' : 'other'
}

function acceptsGzip(encodings: string): boolean {
  return /(?:^|[\s,])gzip(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(encodings)
}
