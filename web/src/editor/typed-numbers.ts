/** Returns a number, or the text of an unfinished one, as a field shows it. */
export const shownNumber = (value: unknown) =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : ''

/** Reads a number with a decimal point or comma. Returns other text as typed. */
export function numberOf(typed: string): number | string | undefined {
  const trimmed = typed.trim().replace(',', '.')
  if (trimmed === '') return undefined
  const number = Number(trimmed)
  return Number.isFinite(number) ? number : typed
}
