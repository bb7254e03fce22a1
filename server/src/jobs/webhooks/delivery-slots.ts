/** Who a call is made for. */
export type Endpoint = { organizationId: string; id: string; failuresInARow: number }

/**
 * Who may be called now. Every bound is of one worker: calls under way in all, to one receiver, for one organization, and to receivers that
 * fail, which are asked one call at a time. So what hangs never takes the slots of what works.
 */
export type DeliverySlots = {
  free: () => number
  /** How many calls to an endpoint may be begun. */
  freeFor: (endpoint: Endpoint, nowMs: number) => number
  taken: (endpoint: Endpoint) => void
  freed: (endpoint: Endpoint, outcome: { failed: boolean; nowMs: number }) => void
  /** In the order in which they are to be looked at: the one after the last that was served goes first. */
  inTurn: <Waiting extends Endpoint>(endpoints: readonly Waiting[]) => Waiting[]
  served: (endpoint: Endpoint) => void
}

const inAllMax = 64
const perEndpointMax = 4
const perOrganizationMax = 16
const failingMax = 32

/**
 * After each failure in a row the receiver is left alone for this much longer, up to a second: 20 in a row, which disable a webhook, take 14 s at
 * least, so that a receiver that restarts is not given up for its backlog.
 */
const pauseMsStepDefault = 100
const pauseMsMax = 1_000
const rememberedMax = 10_000

export function createDeliverySlots({
  pauseMsStep = pauseMsStepDefault,
}: { pauseMsStep?: number | undefined } = {}): DeliverySlots {
  const ofEndpoint = new Map<string, number>()
  const ofOrganization = new Map<string, number>()
  /** By endpoint: failures in a row as this worker saw them, and until when it is left alone. */
  const failing = new Map<string, { failures: number; untilMs: number }>()
  const asFailing = new Set<string>()
  let inAll = 0
  let last = ''

  const isFailing = ({ id, failuresInARow }: Endpoint): boolean => failing.has(id) || failuresInARow > 0

  return {
    free: () => inAllMax - inAll,
    freeFor: (endpoint, nowMs) => {
      const { id, organizationId } = endpoint
      const bad = isFailing(endpoint)
      if ((failing.get(id)?.untilMs ?? 0) > nowMs) return 0
      if (bad && !asFailing.has(id) && asFailing.size >= failingMax) return 0
      return Math.min(
        inAllMax - inAll,
        perOrganizationMax - (ofOrganization.get(organizationId) ?? 0),
        (bad ? 1 : perEndpointMax) - (ofEndpoint.get(id) ?? 0),
      )
    },
    taken: (endpoint) => {
      inAll++
      add(ofEndpoint, endpoint.id, 1)
      add(ofOrganization, endpoint.organizationId, 1)
      if (isFailing(endpoint)) asFailing.add(endpoint.id)
    },
    freed: (endpoint, { failed, nowMs }) => {
      const { id, organizationId, failuresInARow } = endpoint
      inAll--
      add(ofEndpoint, id, -1)
      add(ofOrganization, organizationId, -1)
      asFailing.delete(id)
      if (!failed) {
        failing.delete(id)
        return
      }
      const failures = Math.max(failing.get(id)?.failures ?? 0, failuresInARow) + 1
      failing.set(id, { failures, untilMs: nowMs + Math.min(failures * pauseMsStep, pauseMsMax) })
    },
    inTurn: (endpoints) => {
      // Of webhooks that are deleted or disabled some stay behind.
      if (failing.size > rememberedMax) failing.clear()
      const next = endpoints.findIndex((one) => nameOf(one) > last)
      return next < 0 ? [...endpoints] : [...endpoints.slice(next), ...endpoints.slice(0, next)]
    },
    served: (endpoint) => {
      last = nameOf(endpoint)
    },
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
