import type { Metric } from './messages.ts'

/** Values of a figure with their labels. */
export type LabelledValues = readonly (readonly [
  labels: Readonly<Record<string, string>>,
  value: number | undefined,
])[]

/** Figures with labels by name. Names of figures that only grow end in `_total`. */
export type LabelledFigures = Readonly<Record<string, readonly [help: string, read: () => LabelledValues]>>

/**
 * Returns the metrics of figures with labels, in the format of prom-client, which `main` does not
 * load, to stay small. An undefined value is left out.
 */
export function labelledMetrics(figures: LabelledFigures, common: Record<string, string> = {}): Metric[] {
  return Object.entries(figures).map(([name, [help, read]]) => ({
    name: `everscan_${name}`,
    help,
    type: name.endsWith('_total') ? 'counter' : 'gauge',
    aggregator: 'sum',
    values: read().flatMap(([labels, value]) =>
      value === undefined ? [] : [{ labels: { ...labels, ...common }, value }],
    ),
  }))
}
