/** The kinds of work that take turns, as the metrics name them. */
export const turnKinds = [
  'styles',
  'passwords_of_codes',
  'passwords',
  'surveys',
  'shared_views',
  'mails',
] as const
export type TurnKind = (typeof turnKinds)[number]

export type TurnsLimits = {
  /** How many hold a turn at once. */
  atOnceMax: number
  /** How many of one holder of the first level may wait. Default: `waitingMax`. */
  holderWaitingMax?: number
  /** How many may wait in all. At this limit, the holder with the most waiting loses its newest. */
  waitingMax: number
  /** Default: as long as it takes. */
  waitMsMax?: number
}

/** Why there is no turn: too many wait already, it took too long, or the client left. */
export type TurnRefusal = 'full' | 'late' | 'left'

export class NoTurn extends Error {
  readonly reason: TurnRefusal
  /** How many of the holder wait. */
  readonly waiting: number

  constructor(reason: TurnRefusal, waiting: number) {
    super(`no turn: ${reason}`)
    this.reason = reason
    this.waiting = waiting
  }
}

type Waiting = {
  holders: readonly string[]
  fromMs: number
  give: (end: () => void) => void
  refuse: (reason: TurnRefusal) => void
}

/** The waiting of a holder: those of its own holders, or at the last level a queue. */
type Level = { count: number; below: Map<string, Level>; queue: Waiting[] }

/**
 * Turns for work of which little runs at once. Holders of each level take turns, such as
 * organizations, then the codes of one, then the networks of one: whatever one holder has queued,
 * the next turn goes to each of the others first. Everything is in the memory of this process, and
 * bounded by what waits.
 */
export class Turns {
  readonly kind: TurnKind
  readonly #limits: TurnsLimits
  readonly #clock: () => number
  readonly #root = emptyLevel()
  #running = 0
  readonly #outcomes = { given: 0, full: 0, late: 0, left: 0 }
  #waitedMs = 0

  constructor(kind: TurnKind, limits: TurnsLimits, clock: () => number = () => performance.now()) {
    this.kind = kind
    this.#limits = limits
    this.#clock = clock
  }

  stats() {
    return {
      running: this.#running,
      waiting: this.#root.count,
      waitedSeconds: this.#waitedMs / 1000,
      outcomes: { ...this.#outcomes },
    }
  }

  /** Does work in its turn. Rejects as `take` does, or as the work does. */
  async run<Result>(
    holders: readonly string[],
    work: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const end = await this.take(holders, signal)
    try {
      return await work()
    } finally {
      end()
    }
  }

  /**
   * Resolves with the function that ends the turn; it may be called again. Rejects with `NoTurn`.
   * All calls name the same number of holders, the widest first.
   */
  take(holders: readonly string[], signal?: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const refuse = (reason: TurnRefusal): void => {
        this.#outcomes[reason]++
        reject(new NoTurn(reason, this.#waitingOf(holders)))
      }
      if (signal?.aborted === true) return refuse('left')
      if (this.#root.count === 0 && this.#running < this.#limits.atOnceMax)
        return resolve(this.#begin(this.#clock()))
      const { waitMsMax } = this.#limits
      const timer = waitMsMax === undefined ? undefined : setTimeout(() => leave('late'), waitMsMax)
      const settle = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', left)
      }
      const waiting: Waiting = {
        holders,
        fromMs: this.#clock(),
        give: (end) => {
          settle()
          resolve(end)
        },
        refuse: (reason) => {
          settle()
          refuse(reason)
        },
      }
      const leave = (reason: TurnRefusal): void => {
        remove(this.#root, waiting)
        waiting.refuse(reason)
      }
      const left = (): void => leave('left')
      signal?.addEventListener('abort', left)
      this.#add(waiting)
    })
  }

  #add(waiting: Waiting): void {
    const { waitingMax, holderWaitingMax = waitingMax } = this.#limits
    const own = this.#waitingOf(waiting.holders)
    if (own >= holderWaitingMax) return waiting.refuse('full')
    if (this.#root.count >= waitingMax) {
      const [name, longest] = longestOf(this.#root)
      if (name === undefined || longest <= own + 1) return waiting.refuse('full')
      const newest = takeNewest(this.#root, name)
      newest?.refuse('full')
    }
    add(this.#root, waiting)
  }

  #begin(fromMs: number): () => void {
    this.#running++
    this.#outcomes.given++
    this.#waitedMs += this.#clock() - fromMs
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#running--
      this.#next()
    }
  }

  #next(): void {
    while (this.#running < this.#limits.atOnceMax) {
      const waiting = takeNext(this.#root)
      if (waiting === undefined) return
      waiting.give(this.#begin(waiting.fromMs))
    }
  }

  #waitingOf([first = '']: readonly string[]): number {
    return this.#root.below.get(first)?.count ?? 0
  }
}

function emptyLevel(): Level {
  return { count: 0, below: new Map(), queue: [] }
}

function add(root: Level, waiting: Waiting): void {
  let level = root
  level.count++
  for (const holder of waiting.holders) {
    let below = level.below.get(holder)
    if (below === undefined) level.below.set(holder, (below = emptyLevel()))
    below.count++
    level = below
  }
  level.queue.push(waiting)
}

/** Takes the next of the holder whose turn it is, who moves behind the others, at each level. */
function takeNext(level: Level): Waiting | undefined {
  const [first] = level.below
  if (first === undefined) {
    const waiting = level.queue.shift()
    if (waiting !== undefined) level.count--
    return waiting
  }
  const [holder, below] = first
  const waiting = takeNext(below)
  level.below.delete(holder)
  if (below.count > 0) level.below.set(holder, below)
  if (waiting !== undefined) level.count--
  return waiting
}

/** Removes one that leaves before its turn. */
function remove(level: Level, waiting: Waiting, depth = 0): boolean {
  const holder = waiting.holders[depth]
  if (holder === undefined) {
    const at = level.queue.indexOf(waiting)
    if (at < 0) return false
    level.queue.splice(at, 1)
    level.count--
    return true
  }
  const below = level.below.get(holder)
  if (below === undefined || !remove(below, waiting, depth + 1)) return false
  if (below.count === 0) level.below.delete(holder)
  level.count--
  return true
}

function longestOf(level: Level): readonly [name: string | undefined, count: number] {
  let found: readonly [string | undefined, number] = [undefined, 0]
  for (const [name, { count }] of level.below) if (count > found[1]) found = [name, count]
  return found
}

/** Takes the newest of a holder, again of its longest holders below. */
function takeNewest(root: Level, name: string): Waiting | undefined {
  let level = root.below.get(name)
  for (; level !== undefined && level.below.size > 0; level = level.below.get(longestOf(level)[0] ?? ''))
    continue
  const newest = level?.queue.at(-1)
  if (newest !== undefined) remove(root, newest)
  return newest
}
