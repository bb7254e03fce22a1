/** The webhook that a call is made for. */
export type Endpoint = { organizationId: string; id: string; failuresInARow: number }

const inAllMax = 64
const perEndpointMax = 4
const perOrganizationMax = 16
const failingMax = 32

/**
 * After each failure in a row the receiver is left alone for this much longer, up to a second. 20 in a row, which
 * disable a webhook, take 14 s at least, so that a receiver that restarts is not given up for its backlog.
 */
const pauseMsStepDefault = 100
const pauseMsMax = 1_000
const rememberedMax = 10_000

/**
 * Which receivers may be called now. Every bound is of one worker: calls under way in all, to one receiver, for one
 * organization, and to receivers that fail, which are asked one call at a time. So a receiver that hangs never takes
 * the slots of those that work.
 */
export class DeliverySlots {
  readonly #pauseMsStep: number
  readonly #ofEndpoint = new Map<string, number>()
  readonly #ofOrganization = new Map<string, number>()
  /** By endpoint: failures in a row as this worker saw them, and until when it is left alone. */
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

  /** How many calls to an endpoint may be begun. */
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

  /** In the order in which they are to be looked at: the one after the last that was served goes first. */
  inTurn<Waiting extends Endpoint>(endpoints: readonly Waiting[]): Waiting[] {
    // Some entries of webhooks that were deleted or disabled stay behind.
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

/** Sorts as the endpoints come. */
function nameOf({ organizationId, id }: Endpoint): string {
  return `${organizationId} ${id}`
}
