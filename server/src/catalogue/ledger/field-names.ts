/** Parses field names from their stored form, separated by commas. */
export function fieldNames<Field extends string>(stored: string): Field[] {
  return stored === '' ? [] : (stored.split(',') as Field[])
}
