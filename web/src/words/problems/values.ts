/** Returns a list of JSON texts, such as the allowed values of a field, without quotes. */
export const unquoted = (list: string | number) => String(list).replaceAll('"', '')

/** Returns the values of a setting, each with the machines that have it. Both are lines. */
export function byMachines(
  settings: string,
  machines: string,
): (readonly [value: string, machines: string])[] {
  const names = machines.split('\n')
  return settings.split('\n').map((value, at) => [value, names[at] ?? ''] as const)
}
