/**
 * A `Content-Disposition` with a name that any person chose (RFC 6266). `filename` is what every client can read;
 * `filename*` has the name itself (RFC 8187). Neither can hold a path, a quote or a line break.
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

/** What some file system refuses or reads as something else becomes `_`: separators, wildcards, controls, a leading dot. */
export function safeName(name: string): string {
  const safe = name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}"*/:<>?\\|%]/gu, '_')
    .trim()
    .replace(/^\.+/, '_')
  // Most file systems stop at 255 bytes; a character takes 4 of them at most.
  return Array.from(safe).slice(0, 60).join('').trim() || 'qr-code'
}

/** encodeURIComponent leaves `'()*!` as they are; RFC 8187 does not allow the first four. */
function encodeExtended(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
