import { limits } from '@everscan/contract/schema/limits.ts'

/**
 * Returns a `Content-Disposition` header for a name that a user chose (RFC 6266). Every client can
 * read `filename`; `filename*` has the exact name (RFC 8187). Neither can hold a path, a quote or a
 * line break.
 *
 * @example
 * contentDisposition('attachment', 'Menü "Mai"', 'png')
 * // attachment; filename="Men_ _Mai_.png"; filename*=UTF-8''Men%C3%BC%20_Mai_.png
 */
export function contentDisposition(kind: 'attachment' | 'inline', name: string, extension: string): string {
  const safe = safeName(name)
  const ascii = safe.replaceAll(/[^\x20-\x7e]/gu, '_')
  return `${kind}; filename="${ascii}.${extension}"; filename*=UTF-8''${encodeExtended(safe)}.${extension}`
}

/**
 * Replaces each character that a file system refuses or gives a meaning with `_`: separators,
 * wildcards, control characters, a leading dot.
 */
export function safeName(name: string): string {
  const safe = name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"*/:<>?\\|%]/gu, '_')
    .trim()
    .replace(/^\.+/, '_')
  // Most file systems limit a name to 255 bytes; a character takes at most 4.
  return Array.from(safe).slice(0, 60).join('').trim() || 'qr-code'
}

/**
 * Percent-encodes also `'()*`: encodeURIComponent leaves `'()*!` as they are, and RFC 8187 allows
 * only `!`.
 */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/** The name under which a file was sent. */
export function fileNameOf(name: string): string | null {
  // Some browsers send the full path.
  const last =
    name
      .split(/[\\/]/)
      .at(-1)
      ?.replaceAll(/\p{Cc}/gu, '')
      .trim() ?? ''
  return last === '' ? null : Array.from(last.toWellFormed()).slice(0, limits.nameCharsMax).join('')
}
