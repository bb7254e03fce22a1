/** The webhook of a call. */
export type Endpoint = { organizationId: string; id: string; failuresInARow: number }

const inAllMax = 64
const perEndpointMax = 4
const perOrganizationMax = 16
const failingMax = 32

/**
 * With each failure in a row the receiver's pause becomes this much longer, up to a second. 20
 * failures in a row, which disable a webhook, take at least 14 s. So a receiver that restarts is
 * not disabled because of its backlog.
 */
const pauseMsStepDefault = 100
const pauseMsMax = 1_000
const rememberedMax = 10_000

/**
 * The receivers that may be called now. Every limit is per worker: calls in progress in total, to
 * one receiver, for one organization, and to receivers that fail, which get one call at a time. So
 * a receiver that hangs never takes the slots of those that work.
 */
export class DeliverySlots {
  readonly #pauseMsStep: number
  readonly #ofEndpoint = new Map<string, number>()
  readonly #ofOrganization = new Map<string, number>()
  /** By endpoint: the failures in a row that this worker saw, and the end of the pause. */
  readonly #failing = new Map<string, { failures: number; untilMs: number }>()
  readonly #asFailing = new Set<string>()
  #inAll = 0
  #last = ''

  constructor({ pauseMsStep = pauseMsStepDefault }: { pauseMsStep?: number | undefined } = {}) {
    this.#pauseMsStep = pauseMsStep
  }

  free(): number {
    return inAllMax - this.#inAll
  }

  /** Returns how many calls to an endpoint may begin. */
  freeFor(endpoint: Endpoint, nowMs: number): number {
    const { id, organizationId } = endpoint
    const isFailing = this.#isFailing(endpoint)
    if ((this.#failing.get(id)?.untilMs ?? 0) > nowMs) return 0
    if (isFailing && !this.#asFailing.has(id) && this.#asFailing.size >= failingMax) return 0
    return Math.min(
      this.free(),
      perOrganizationMax - (this.#ofOrganization.get(organizationId) ?? 0),
      (isFailing ? 1 : perEndpointMax) - (this.#ofEndpoint.get(id) ?? 0),
    )
  }

  take(endpoint: Endpoint): void {
    this.#inAll++
    add(this.#ofEndpoint, endpoint.id, 1)
    add(this.#ofOrganization, endpoint.organizationId, 1)
    if (this.#isFailing(endpoint)) this.#asFailing.add(endpoint.id)
  }

  release(endpoint: Endpoint, { failed, nowMs }: { failed: boolean; nowMs: number }): void {
    const { id, organizationId, failuresInARow } = endpoint
    this.#inAll--
    add(this.#ofEndpoint, id, -1)
    add(this.#ofOrganization, organizationId, -1)
    this.#asFailing.delete(id)
    if (!failed) {
      this.#failing.delete(id)
      return
    }
    const failures = Math.max(this.#failing.get(id)?.failures ?? 0, failuresInARow) + 1
    this.#failing.set(id, { failures, untilMs: nowMs + Math.min(failures * this.#pauseMsStep, pauseMsMax) })
  }

  /**
   * Returns the endpoints in the order in which to look at them: the one after the last served goes
   * first.
   */
  inTurn<Waiting extends Endpoint>(endpoints: readonly Waiting[]): Waiting[] {
    // Entries of webhooks that were deleted or disabled may remain.
    if (this.#failing.size > rememberedMax) this.#failing.clear()
    const next = endpoints.findIndex((one) => nameOf(one) > this.#last)
    return next < 0 ? [...endpoints] : [...endpoints.slice(next), ...endpoints.slice(0, next)]
  }

  served(endpoint: Endpoint): void {
    this.#last = nameOf(endpoint)
  }

  #isFailing({ id, failuresInARow }: Endpoint): boolean {
    return this.#failing.has(id) || failuresInARow > 0
  }
}

function add(counts: Map<string, number>, name: string, change: number): void {
  const count = (counts.get(name) ?? 0) + change
  if (count === 0) counts.delete(name)
  else counts.set(name, count)
}

/** Returns a name that sorts in the order of the endpoints. */
function nameOf({ organizationId, id }: Endpoint): string {
  return `${organizationId} ${id}`
}
