/** Names of fields as they are kept: with commas between them. */
export function fieldNames<Field extends string>(kept: string): Field[] {
  return kept === '' ? [] : (kept.split(',') as Field[])
}
