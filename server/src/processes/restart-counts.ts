import { roles, type Metric, type Role } from './messages.ts'
import type { EndReason } from './watchdog.ts'

/** How a child ended; `killed`: by SIGKILL that was not ours, as for lack of memory. */
export type RestartReason = EndReason | 'died' | 'killed'
const reasons: readonly RestartReason[] = ['died', 'killed', 'hung', 'stalled']

/** Counts restarts of children. Counts begin at 0, because a rate needs a zero to rise from. */
export class RestartCounts {
  readonly #counts = new Map<string, { role: Role; reason: RestartReason; value: number }>(
    roles.flatMap((role) => reasons.map((reason) => [`${role} ${reason}`, { role, reason, value: 0 }])),
  )

  add(role: Role, reason: RestartReason): void {
    const count = this.#counts.get(`${role} ${reason}`)
    if (count !== undefined) count.value++
  }

  /** Returns the metric in the format of prom-client, which `main` does not load, to stay small. */
  metric(): Metric {
    const values = [...this.#counts.values()].map(({ role, reason, value }) => ({
      value,
      labels: { role, reason, process: 'main' },
    }))
    return {
      name: 'everscan_process_restarts_total',
      help: 'Processes that main restarted, by role and by how they ended',
      type: 'counter',
      aggregator: 'sum',
      values,
    }
  }
}
