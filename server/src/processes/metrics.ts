import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { labelledMetrics, type LabelledFigures, type Metric, type Metrics } from './messages.ts'

export type OwnMetrics = {
  /**
   * Adds figures by name, with help and a reader that is called on collection. Names of figures
   * that only grow end in `_total`.
   */
  figures: (figures: Readonly<Record<string, readonly [help: string, read: () => number]>>) => void
  /** Adds figures with labels. An undefined value is left out. */
  labelled: (figures: LabelledFigures) => void
  /** Adds a metric that is counted elsewhere; `values` is called on collection. */
  add: (name: string, metric: Omit<Metric, 'name' | 'aggregator' | 'values'>, values: MakeValues) => void
  /** Adds a histogram of API answers by method, route and status; returns its recorder. */
  requestDurations: () => (answer: { method: string; route: string; status: number; seconds: number }) => void
  collect: () => Promise<Metrics>
}

type MakeValues = (name: string) => Metric['values']

const prefix = 'everscan_'
/**
 * Gauges among the default metrics of Node that sum up others. Prometheus expects a counter behind
 * a name that ends in `_total`.
 */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/** Creates the metrics of this process: the defaults of Node, and those that are added. */
export function createMetrics(processName: string): OwnMetrics {
  const registry = new Registry()
  registry.setDefaultLabels({ process: processName })
  collectDefaultMetrics({ register: registry, prefix })
  for (const name of misnamed) registry.removeSingleMetric(prefix + name)

  const register = (name: string, make: () => Metric | undefined): void => {
    // A registry uses only the name and `get` of a metric.
    registry.registerMetric({ name, get: async () => make() } as unknown as Gauge)
  }
  const add: OwnMetrics['add'] = (shortName, { help, type }, values) => {
    const name = prefix + shortName
    register(name, () => ({ name, help, type, aggregator: 'sum', values: values(name) }))
  }
  return {
    figures: (figures) => addFigures(registry, figures),
    labelled: (figures) => {
      for (const [name, figure] of Object.entries(figures))
        register(prefix + name, () => labelledMetrics({ [name]: figure })[0])
    },
    add,
    requestDurations: () => {
      const histogram = new Histogram({
        name: 'everscan_api_request_seconds',
        help: 'Time to answer a request to the REST API',
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

/** Returns the metrics of all processes as one text, each value with its `process` label. */
export async function metricsText(metrics: readonly Metrics[]): Promise<string> {
  type Given = Parameters<typeof AggregatorRegistry.aggregate>[0]
  return AggregatorRegistry.aggregate(metrics as unknown as Given).metrics()
}
