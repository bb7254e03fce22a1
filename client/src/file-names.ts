/** Returns the file name of a `Content-Disposition` header (RFC 6266); `filename*` comes first. */
export function fileNameOf(contentDisposition: string | null): string | undefined {
  if (contentDisposition === null) return undefined
  const extended = /filename\*\s*=\s*UTF-8'[^']*'([^;\s]+)/i.exec(contentDisposition)?.[1]
  const decoded = extended === undefined ? undefined : percentDecoded(extended)
  if (decoded !== undefined) return decoded
  const quoted = /filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(contentDisposition)?.[1]
  if (quoted !== undefined) return quoted.replaceAll(/\\(.)/g, '$1')
  return /filename\s*=\s*([^;"\s]+)/i.exec(contentDisposition)?.[1]
}

function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
