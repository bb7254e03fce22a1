/** Returns bytes as text, in the encodings that spreadsheets write. */
export function decodeText(bytes: Uint8Array): string {
  const encoding =
    startsWith(bytes, [0xff, 0xfe]) || bytes[1] === 0
      ? 'utf-16le'
      : startsWith(bytes, [0xfe, 0xff]) || bytes[0] === 0
        ? 'utf-16be'
        : 'utf-8'
  try {
    // The cut at the end may have left half a character.
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Whether a file begins with these bytes. */
export function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, at) => bytes[at] === byte)
}
