import type { ServerResponse } from 'node:http'
import { transportSecurity } from '../settings/transport-security.ts'

/** Headers of every answer on the public port, as a flat list of names and values. */
export type SiteHeaders = readonly string[]

/** Returns the headers that every answer of the installation at `publicUrl` has. */
export function createSiteHeaders(publicUrl: string): SiteHeaders {
  const security = transportSecurity(publicUrl)
  return security === undefined ? [] : ['Strict-Transport-Security', security]
}

/**
 * Adds the headers to a response whose head is written elsewhere. A header of the same name in that
 * head replaces them.
 */
export function setSiteHeaders(response: ServerResponse, headers: SiteHeaders): void {
  for (let at = 0; at + 1 < headers.length; at += 2)
    response.setHeader(headers[at] as string, headers[at + 1] as string)
}
