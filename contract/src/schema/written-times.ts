/**
 * Reads a time in a cell of a file, in milliseconds since 1970: ISO 8601, a date with a time as
 * databases write it, a date with the English name of its month, seconds or milliseconds since
 * 1970. Without a zone it is UTC; a date alone is its beginning. Undefined for any other text.
 *
 * @example writtenTime('2026-01-31') // 1769817600000
 */
export function writtenTime(text: string): number | undefined {
  const timeMs = timeOf(text)
  return timeMs !== undefined && Number.isFinite(timeMs) ? timeMs : undefined
}

const zoneless = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?))?$/
const zoned = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d(\.\d+)?)? ?(Z|UTC|[+-]\d\d:?\d\d)$/i
const inWords = /^(\w{3,9},? )?(\w{3,9} \d{1,2}|\d{1,2} \w{3,9}),? \d{4}( \d{1,2}:\d\d(:\d\d)?( ?[AP]M)?)?$/i

function timeOf(text: string): number | undefined {
  if (/^\d{10}$/.test(text)) return Number(text) * 1_000
  if (/^\d{13}$/.test(text)) return Number(text)
  const [isZoneless, date, time = '00:00'] = zoneless.exec(text) ?? []
  if (isZoneless !== undefined) return isDate(date ?? '') ? Date.parse(`${date}T${time}Z`) : undefined
  if (zoned.test(text))
    return isDate(text.slice(0, 10))
      ? Date.parse(text.replace(' ', 'T').replace(/ ?(Z|UTC)$/i, 'Z'))
      : undefined
  return inWords.test(text) ? Date.parse(`${text} UTC`) : undefined
}

/** Whether a date exists: engines read February 30 as a day in March. */
function isDate(date: string): boolean {
  const timeMs = Date.parse(`${date}T00:00:00Z`)
  return Number.isFinite(timeMs) && new Date(timeMs).toISOString().startsWith(date)
}
