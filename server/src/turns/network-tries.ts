/** The tries of a network on a code. */
export type NetworkTries = {
  /** When it was wrong, within the window. */
  wrongAtMs: number[]
  /** Tries that are checked now. */
  running: number
  /** Tries that its last right answer still allows, and those of them that are checked now. */
  credits: number
  onCredit: number
  /** Wrong ones that took from what the code allows, and that its next right answer makes good. */
  charged: number
  /** Tries that it had as a new network on a day. */
  newTries: number
  newOnDay: number
}

/** Each takes about 300 bytes. */
const networksMax = 50_000

/**
 * The tries of networks, by organization and key. Memory is bounded: the organization with the most
 * networks loses its oldest, so none can make the process forget those of others.
 */
export class NetworkTriesStore {
  readonly #max: number
  readonly #byOrganization = new Map<string, Map<string, NetworkTries>>()
  #size = 0

  constructor(max = networksMax) {
    this.#max = max
  }

  get size(): number {
    return this.#size
  }

  /** Returns the tries of a network, which is then the one used last. */
  of(organizationId: string, key: string): NetworkTries {
    let own = this.#byOrganization.get(organizationId)
    if (own === undefined) this.#byOrganization.set(organizationId, (own = new Map()))
    const known = own.get(key)
    const tries = known ?? newTries()
    own.delete(key)
    own.set(key, tries)
    if (known === undefined && ++this.#size > this.#max) this.#forgetOne()
    return tries
  }

  #forgetOne(): void {
    let most: [organizationId: string, own: Map<string, NetworkTries>] | undefined
    for (const entry of this.#byOrganization)
      if (most === undefined || entry[1].size > most[1].size) most = entry
    if (most === undefined) return
    const [organizationId, own] = most
    const [oldest] = own.keys()
    if (oldest !== undefined && own.delete(oldest)) this.#size--
    if (own.size === 0) this.#byOrganization.delete(organizationId)
  }
}

function newTries(): NetworkTries {
  return { wrongAtMs: [], running: 0, credits: 0, onCredit: 0, charged: 0, newTries: 0, newOnDay: -1 }
}
