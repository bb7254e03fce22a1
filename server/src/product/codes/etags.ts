import { createHash } from 'node:crypto'

/** A strong entity tag of parts: equal parts must mean equal bytes. */
export function etagOf(...parts: readonly (string | number | Uint8Array)[]): string {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(typeof part === 'number' ? String(part) : part).update('\0')
  return `"${hash.digest('base64url').slice(0, 27)}"`
}

/**
 * Whether a list of entity tags (`If-Match`, RFC 9110 section 13.1.1) contains a strong one that
 * matches.
 */
export function ifMatchHolds(header: string | undefined, isRight: (tag: string) => boolean): boolean {
  if (header === undefined) return true
  return header.trim() === '*' || tagsOf(header).some((tag) => !tag.startsWith('W/') && isRight(tag))
}

/**
 * Whether the client already has this version (`If-None-Match`, weak comparison, RFC 9110 section
 * 13.1.2).
 */
export function ifNoneMatchHits(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.trim() === '*' || tagsOf(header).some((tag) => opaque(tag) === opaque(etag))
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '')
}

function tagsOf(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? []
}
