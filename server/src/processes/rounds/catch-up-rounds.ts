/**
 * A front that did not answer in this time is not waited for. It must be longer than the stall
 * after which a front believes nothing in its memory: see `stallMs` of the resolver.
 */
export const roundMsMax = 1_000
/**
 * The time for fronts that missed the round before. Such a front hangs, and believes nothing in its
 * memory when it goes on; this is for the answer that it is just sending.
 */
const lateRoundMsMax = 50

type Round<Front> = { waiting: Set<Front>; end: () => void }

/**
 * Rounds in which all fronts of a machine read the changes that were committed before. A front that
 * hangs or ends holds up no round for long.
 */
export class CatchUpRounds<Front extends object> {
  readonly #send: (front: Front, id: number) => void
  readonly #rounds = new Map<number, Round<Front>>()
  /** Fronts that are ready to answer. Others have nothing in memory yet. */
  readonly #fronts = new Set<Front>()
  readonly #late = new Set<Front>()
  #lastId = 0

  /** `send` asks a front to call `caughtUp` with the id once it has read the changes. */
  constructor(send: (front: Front, id: number) => void) {
    this.#send = send
  }

  /** Adds a front, before it answers its first scan. */
  join(front: Front): void {
    this.#fronts.add(front)
  }

  /** Removes a front that has ended: it has no memory any more. */
  leave(front: Front): void {
    this.#fronts.delete(front)
    this.#late.delete(front)
    for (const round of this.#rounds.values()) endIfLast(round, front)
  }

  /** Asks all fronts but one. Calls `onEnd` when they have caught up, or are not waited for. */
  begin(asking: Front, onEnd: () => void): void {
    const waiting = new Set(this.#fronts)
    waiting.delete(asking)
    if (waiting.size === 0) return onEnd()
    const id = ++this.#lastId
    const round = { waiting, end: (): void => undefined }
    const late = setTimeout(() => {
      for (const front of this.#late) endIfLast(round, front)
    }, lateRoundMsMax)
    const timer = setTimeout(() => this.#giveUp(round), roundMsMax)
    round.end = () => {
      clearTimeout(late)
      clearTimeout(timer)
      this.#rounds.delete(id)
      onEnd()
    }
    this.#rounds.set(id, round)
    for (const front of waiting) this.#send(front, id)
  }

  /** Records that a front has caught up in a round. */
  caughtUp(front: Front, id: number): void {
    this.#late.delete(front)
    const round = this.#rounds.get(id)
    if (round !== undefined) endIfLast(round, front)
  }

  #giveUp({ waiting, end }: Round<Front>): void {
    for (const front of waiting) this.#late.add(front)
    end()
  }
}

function endIfLast<Front>({ waiting, end }: Round<Front>, front: Front): void {
  if (waiting.delete(front) && waiting.size === 0) end()
}
