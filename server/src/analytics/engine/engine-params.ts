/** A query parameter in the form that the engine's binding accepts. */
export type ParamValue = string | null | (string | number | bigint | null)[]

const escapes: Record<string, string> = { t: '\t', n: '\n', r: '\r', b: '\b', f: '\f', '0': '\0' }

/**
 * Converts a query parameter from its HTTP form (escaped as in tab-separated text) to a value for
 * the engine's binding. The type that the statement declares decides: `{name:Array(String)}` is a
 * list, any other type a scalar.
 */
export function readParam(sql: string, name: string, text: string): ParamValue {
  const declared = new RegExp(`\\{\\s*${name.replaceAll(/\W/g, '\\$&')}\\s*:\\s*(\\w+)`).exec(sql)?.[1]
  if (declared?.toLowerCase() === 'array') return readArray(text)
  return text === '\\N' ? null : unescape(text)
}

function readArray(text: string): (string | number | bigint | null)[] {
  const inner = /^\[(.*)\]$/s.exec(text.trim())?.[1]
  if (inner === undefined) throw badParam(text)
  const values: (string | number | bigint | null)[] = []
  const item = /\s*(?:'((?:[^'\\]|\\.)*)'|(-?\d+)|(-?[\d.]+(?:e[+-]?\d+)?)|(null))\s*(,|$)/gisy
  while (item.lastIndex < inner.length) {
    const match = item.exec(inner)
    if (match === null) throw badParam(text)
    const [, quoted, whole, decimal] = match
    if (quoted !== undefined) values.push(unescape(quoted))
    else if (whole !== undefined) values.push(BigInt(whole))
    else values.push(decimal === undefined ? null : Number(decimal))
  }
  return values
}

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/gs, (_, char: string) => escapes[char] ?? char)
}

function badParam(text: string): Error {
  return new Error(
    `Code: 457. DB::Exception: Value ${text.slice(0, 100)} cannot be parsed as an array. (BAD_QUERY_PARAMETER)`,
  )
}

/**
 * Returns the fields of a `multipart/form-data` body, the form in which clients send long
 * parameters. Returns `undefined` for any other body.
 */
export function readMultipart(
  contentType: string | undefined,
  body: Buffer,
): Map<string, string> | undefined {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)/i.exec(contentType ?? '')?.[1]
  if (boundary === undefined) return undefined
  const fields = new Map<string, string>()
  for (const part of body.toString().split(`--${boundary}`)) {
    const match =
      /^\r\n(?:[^\r\n]+\r\n)*?content-disposition:[^\r\n]*\bname="([^"]*)"[^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n(.*)\r\n$/is.exec(
        part,
      )
    if (match?.[1] !== undefined) fields.set(match[1], match[2] ?? '')
  }
  return fields
}
