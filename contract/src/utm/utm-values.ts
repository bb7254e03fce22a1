/** The texts that placeholders of a template stand for. `folder` is empty for a code in none. */
export type UtmSubject = { name: string; shortCode: string; folder: string }

/**
 * Returns the value of a parameter for one code. Its placeholders are replaced as the schema of
 * templates describes. The result may be empty.
 *
 * @example filledUtmValue('{folder}-{name}', { name: 'Table 4', shortCode: 'A', folder: 'Café' })
 * // 'café-table-4'
 */
export function filledUtmValue(value: string, { name, shortCode, folder }: UtmSubject): string {
  const texts = { name: slugOf(name), shortCode, folder: slugOf(folder) }
  return value.replace(/\{(name|shortCode|folder)\}/g, (_, key: keyof UtmSubject) => texts[key]).trim()
}

/** Marks stay, because the letters of many scripts are written with them. */
function slugOf(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
}
