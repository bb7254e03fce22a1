/**
 * Returns the value of a metric in the text of `/metrics`, summed over processes and matching
 * labels; `name` is without prefix.
 */
export function metricOf(text: string, name: string, label = ''): number {
  const begins = `everscan_${name}`
  return text
    .split('\n')
    .filter(
      (line) => (line.startsWith(`${begins}{`) || line.startsWith(`${begins} `)) && line.includes(label),
    )
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

/** Returns the value of a label in the first line of a metric; undefined if there is none. */
export function labelOf(text: string, name: string, label: string): string | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`everscan_${name}{`))
  return new RegExp(`[{,]${label}="([^"]*)"`).exec(line ?? '')?.[1]
}
