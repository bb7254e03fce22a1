import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { Metric, Metrics } from './messages.ts'

/** Values of a figure by labels. */
export type LabelledValues = readonly (readonly [
  labels: Readonly<Record<string, string>>,
  value: number | undefined,
])[]

export type OwnMetrics = {
  /** Figures that are read when they are asked for, by name: help and reader. Names end in `_total` when they only grow. */
  figures: (figures: Readonly<Record<string, readonly [help: string, read: () => number]>>) => void
  /** The same for figures with labels; a value that is not known is left out. */
  labelled: (figures: Readonly<Record<string, readonly [help: string, read: () => LabelledValues]>>) => void
  /** Takes what is counted elsewhere, as values that are made when they are asked for. */
  add: (name: string, metric: Omit<Metric, 'name' | 'aggregator' | 'values'>, values: MakeValues) => void
  /** Takes the answers of the API as a histogram by method, route and status. */
  requestDurations: () => (answer: { method: string; route: string; status: number; seconds: number }) => void
  collect: () => Promise<Metrics>
}

type MakeValues = (name: string) => Metric['values']

const prefix = 'everscan_'
/** Sums of others that Node's defaults bring; Prometheus takes a name that ends so for a counter's. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/** The metrics of this process: Node's own and what is added. */
export function createMetrics(processName: string): OwnMetrics {
  const registry = new Registry()
  registry.setDefaultLabels({ process: processName })
  collectDefaultMetrics({ register: registry, prefix })
  for (const name of misnamed) registry.removeSingleMetric(prefix + name)

  const add: OwnMetrics['add'] = (shortName, { help, type }, values) => {
    const name = prefix + shortName
    const get = async (): Promise<Metric> => ({ name, help, type, aggregator: 'sum', values: values(name) })
    // All that a registry asks of a metric is its name and what it holds.
    registry.registerMetric({ name, get } as unknown as Gauge)
  }
  return {
    figures: (figures) => addFigures(registry, figures),
    labelled: (figures) => {
      for (const [name, [help, read]] of Object.entries(figures))
        add(name, { help, type: name.endsWith('_total') ? 'counter' : 'gauge' }, () =>
          read().flatMap(([labels, value]) => (value === undefined ? [] : [{ labels, value }])),
        )
    },
    add,
    requestDurations: () => {
      const histogram = new Histogram({
        name: 'everscan_api_request_seconds',
        help: 'Time to answer a request of the REST interface',
        labelNames: ['method', 'route', 'status'],
        buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
        registers: [registry],
      })
      return ({ method, route, status, seconds }) => histogram.observe({ method, route, status }, seconds)
    },
    collect: async () => (await registry.getMetricsAsJSON()) as unknown as Metrics,
  }
}

function addFigures(registry: Registry, figures: Parameters<OwnMetrics['figures']>[0]): void {
  for (const [name, [help, read]] of Object.entries(figures)) {
    const settings = { name: prefix + name, help, registers: [registry] }
    if (name.endsWith('_total'))
      void new Counter({
        ...settings,
        collect() {
          this.reset()
          this.inc(read())
        },
      })
    else
      void new Gauge({
        ...settings,
        collect() {
          this.set(read())
        },
      })
  }
}

/** One text of the metrics of all processes, each with its own `process` label. */
export async function metricsText(metrics: readonly Metrics[]): Promise<string> {
  type Given = Parameters<typeof AggregatorRegistry.aggregate>[0]
  return AggregatorRegistry.aggregate(metrics as unknown as Given).metrics()
}
