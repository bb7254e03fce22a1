import { iso31662 } from 'iso-3166'

let codes: ReadonlySet<string> | undefined

/** Returns whether ISO 3166-2 has a code. */
export function isRegion(code: string): boolean {
  codes ??= new Set(iso31662.map((region) => region.code))
  return codes.has(code)
}
