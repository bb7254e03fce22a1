import { roles, type Metric, type Role } from './messages.ts'
import type { EndReason } from './watchdog.ts'

const reasons: readonly (EndReason | 'died')[] = ['died', 'hung', 'stalled']

/** How often `main` had to start a child again. Every figure is there from the start: a rate needs a zero to rise from. */
export class RestartCounts {
  readonly #counts = new Map<string, { role: Role; reason: EndReason | 'died'; value: number }>(
    roles.flatMap((role) => reasons.map((reason) => [`${role} ${reason}`, { role, reason, value: 0 }])),
  )

  add(role: Role, reason: EndReason | 'died'): void {
    const count = this.#counts.get(`${role} ${reason}`)
    if (count !== undefined) count.value++
  }

  /** As prom-client would give it: `main` is kept small and does not load it. */
  metric(): Metric {
    const values = [...this.#counts.values()].map(({ role, reason, value }) => ({
      value,
      labels: { role, reason, process: 'main' },
    }))
    return {
      name: 'everscan_process_restarts_total',
      help: 'Processes that main started again, by role and by how the one before ended',
      type: 'counter',
      aggregator: 'sum',
      values,
    }
  }
}
