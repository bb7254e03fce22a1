import { canonicalShortCode } from '@everscan/contract/resources/short-codes.ts'
import type { StaticPath } from './server-settings.ts'

/** The folder of the page of a code, below that of its host, and the paths that lead there. */
export type CodePlace = { folder: string; paths: readonly Pick<StaticPath, 'path' | 'isCaseSensitive'>[] }

/** Returns the places of a code: as it is written, and as it is looked up. */
export function canonicalPlaces(shortCode: string): CodePlace[] {
  const names = [...new Set([shortCode, canonicalShortCode(shortCode)])]
  return names.map((name) => ({ folder: name, paths: [{ path: `/${name}` }] }))
}

/**
 * Returns the place of an exact short code. Its letter case counts if it must: each path that asks
 * for its letter case costs servers an expression. `alike`: see `pathsAlike`.
 */
export function exactPlaces(shortCode: string, alike: ReadonlySet<string>): CodePlace[] {
  // Servers remove it, and the code without it is another one.
  const path = shortCode.replace(/\/$/, '')
  const isCaseSensitive = alike.has(path.toLowerCase())
  const isHidden = isCaseSensitive && path !== shortCode
  return [{ folder: folderOf(shortCode), paths: isHidden ? [] : [{ path: `/${path}`, isCaseSensitive }] }]
}

/** Names of our own files, and of contacts. */
const fileName = /\.(?:html|txt|vcf)(?:\/|$)|\/$/i

/** No short code contains "=", so a folder that is named otherwise is no other code's. */
function folderOf(shortCode: string): string {
  return fileName.test(shortCode) ? `=${shortCode.replaceAll('/', '=')}` : shortCode
}
