// Readers of picture payloads, written from the documentation of other readers and not from our
// writers.

/**
 * Returns a field of the format that ZXing's apps read, `PREFIX:N:value;N:value;;`. A field begins
 * after a `;` or after the prefix and ends at the next `;` with an even number of backslashes
 * before it. A backslash escapes the character after it. Source: ZXing's wiki, "Barcode Contents",
 * and the comments on `matchPrefixedField` in its `ResultParser`.
 */
export function readZxingField(payload: string, prefix: string, name: string): string | undefined {
  if (!payload.startsWith(prefix)) return undefined
  for (const field of splitUnescaped(payload.slice(prefix.length), ';'))
    if (field.startsWith(`${name}:`)) return unescapeBackslashes(field.slice(name.length + 1))
  return undefined
}

/** Reads `SMSTO:number:text`. The first colon ends the number; the rest is the text, unchanged. */
export function readSmsto(payload: string): { number: string; text: string } | undefined {
  const match = /^SMSTO:([^:]*)(?::([^]*))?$/i.exec(payload)
  return match === null ? undefined : { number: match[1] ?? '', text: match[2] ?? '' }
}

/**
 * Reads `mailto:address?name=value&name=value` (RFC 6068). Each part is percent-decoded by itself,
 * and `+` is not a space.
 */
export function readMailto(
  payload: string,
): { address: string; fields: ReadonlyMap<string, string> } | undefined {
  const match = /^mailto:([^?#]*)(?:\?([^#]*))?$/i.exec(payload)
  if (match === null) return undefined
  const pairs = (match[2] ?? '').split('&').filter((pair) => pair !== '')
  const fields = pairs.map((pair): [string, string] => {
    const [name = '', ...value] = pair.split('=')
    return [decodeURIComponent(name), decodeURIComponent(value.join('='))]
  })
  return { address: decodeURIComponent(match[1] ?? ''), fields: new Map(fields) }
}

/**
 * Returns the components of a structured property of an unfolded vCard (RFC 2426, 4): `NAME:a;b;c`,
 * where `\\n` is a line break.
 */
export function readVcardComponents(vcard: string, name: string): string[] | undefined {
  const line = vcard.split('\r\n').find((one) => one.startsWith(`${name}:`))
  if (line === undefined) return undefined
  return splitUnescaped(line.slice(name.length + 1), ';').map((field) =>
    unescapeBackslashes(unescapeBreaks(field)),
  )
}

const unescapeBreaks = (field: string) =>
  field.replace(/\\([^])/g, (pair, character: string) => (/n/i.test(character) ? '\n' : pair))

function splitUnescaped(text: string, separator: string): string[] {
  const fields: string[] = []
  let from = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== separator || backslashesBefore(text, at) % 2 === 1) continue
    fields.push(text.slice(from, at))
    from = at + 1
  }
  fields.push(text.slice(from))
  return fields
}

function backslashesBefore(text: string, at: number): number {
  let count = 0
  while (text[at - 1 - count] === '\\') count++
  return count
}

function unescapeBackslashes(field: string): string {
  let text = ''
  for (let at = 0; at < field.length; at++) {
    if (field[at] === '\\') at++
    text += field[at] ?? ''
  }
  return text
}
