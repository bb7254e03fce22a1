import { changedOrganization, everyCode, type ChangeFeed } from '../db/feeds/changes.ts'
import type { ScanLookup, ScanTarget } from '../db/scans/scan-lookup.ts'
import { errorMessage } from '../errors.ts'
import type { Log } from '../log.ts'
import { prepareAnswer } from './answer.ts'
import type { ScanAnswer } from './scan-answer.ts'
import { Brands } from './brands.ts'
import { createPageReplies } from './page-replies.ts'
import { RecentCache } from './recent-cache.ts'

export type Resolver = {
  /** The answer for a canonical code. A promise that rejects: the catalogue is away and the code is not in memory. */
  resolve: (canonicalCode: string) => ScanAnswer | Promise<ScanAnswer>
  /** Moves the memory forward to everything committed so far. */
  catchUp: () => Promise<void>
  stats: () => { entries: number; hits: number; misses: number; failures: number }
  close: () => void
}

type Options = {
  lookup: ScanLookup['lookup']
  changes: Pick<ChangeFeed, 'poll' | 'catchUp'>
  log: Log
  /** Redirects, or as much memory in pages, which are up to some thousand times as large. */
  entriesMax?: number
  pollMs?: number
}

/** Organizations whose brand changed, before everything is forgotten once: what is remembered of them stays small. */
const brandsMax = 100_000

/** A look-up that takes so long to fail is not tried again for each scan. */
const hangMs = 100

/** Known codes are kept in memory and go on being served when the catalogue is away; so are codes that do not exist. */
export function createResolver({
  lookup,
  changes,
  log,
  entriesMax = 200_000,
  pollMs = 250,
}: Options): Resolver {
  // Codes that do not exist are kept apart, so that guessing cannot push out those that do.
  const known = new RecentCache<ScanAnswer>(entriesMax, ({ weight = 1 }) => weight)
  const unknown = new RecentCache<ScanAnswer>(entriesMax / 4)
  const asked = new Map<string, Promise<ScanAnswer>>()
  const brands = new Brands()
  const parts = { pages: createPageReplies(), brands }
  const counts = { hits: 0, misses: 0, failures: 0 }
  let polledThisTurn = false
  let catchingUp: Promise<boolean> | undefined
  let failing = false
  /** A change may have been answered whose codes are not known here: no answer in memory is given without asking. */
  let isSuspect = false
  /** Until then the catalogue counts as away, as a look-up just hung and failed: scans do not wait for it one by one. */
  let awayUntilMs = 0

  const isAvailable = (): void => {
    failing = false
    isSuspect = false
    awayUntilMs = 0
  }

  const suspectAll = (): void => {
    isSuspect = true
    // Look-ups under way may have read what stood before.
    asked.clear()
  }

  /**
   * A code that was changed is looked up again. Its last answer stays in its place for the time that the catalogue is
   * away: then the old destination is better than none, also of a code that was just archived or deleted.
   */
  const makeStale = (code: string): void => {
    const answer = known.get(code)
    if (answer !== undefined && answer.isStale === undefined) known.set(code, { ...answer, isStale: true })
  }

  const forget = (changed: readonly string[]): void => {
    if (changed.includes(everyCode) || brands.size > brandsMax) {
      known.clear()
      unknown.clear()
      asked.clear()
      brands.clear()
      return
    }
    for (const code of changed) {
      const organizationId = changedOrganization(code)
      if (organizationId !== undefined) brands.change(organizationId)
      makeStale(code)
      unknown.delete(code)
      // A look-up under way may have read what stood before: its answer is given, not remembered.
      asked.delete(code)
    }
  }

  const remember = (code: string, target: ScanTarget | undefined): ScanAnswer => {
    const answer = prepareAnswer(target, parts)
    awayUntilMs = 0
    if (target !== undefined) known.set(code, answer)
    else {
      known.delete(code)
      unknown.set(code, answer)
    }
    return answer
  }

  const pollFailed = (error: unknown): void => {
    counts.failures++
    if (!failing)
      log.error(
        { error: errorMessage(error) },
        'catalogue changes cannot be read; known codes go on being served',
      )
    failing = true
  }

  const pollOncePerTurn = (poll: () => readonly string[]): void => {
    if (polledThisTurn) return
    polledThisTurn = true
    setImmediate(() => {
      polledThisTurn = false
    })
    try {
      const changed = poll()
      if (changed.length > 0) forget(changed)
      isAvailable()
    } catch (error) {
      pollFailed(error)
      suspectAll()
    }
  }

  const ask = (code: string): ScanAnswer | Promise<ScanAnswer> => {
    counts.misses++
    let found: ReturnType<typeof lookup>
    try {
      found = lookup(code)
    } catch (error) {
      return Promise.reject(error)
    }
    if (!(found instanceof Promise)) return remember(code, found)
    const changesBefore = brands.changes
    const answer: Promise<ScanAnswer> = found.then(
      (target) => {
        if (asked.get(code) !== answer || brands.changes !== changesBefore) {
          if (asked.get(code) === answer) asked.delete(code)
          return prepareAnswer(target, parts)
        }
        asked.delete(code)
        return remember(code, target)
      },
      (error: unknown) => {
        if (asked.get(code) === answer) asked.delete(code)
        throw error
      },
    )
    asked.set(code, answer)
    return answer
  }

  /** The answer in memory once the catalogue has failed to give the one that holds now. */
  const askFirst = (code: string, answer: ScanAnswer): ScanAnswer | Promise<ScanAnswer> => {
    if (performance.now() < awayUntilMs) return answer
    const fromMs = performance.now()
    const fresh = asked.get(code) ?? ask(code)
    if (!(fresh instanceof Promise)) return fresh
    return fresh.catch(() => {
      const nowMs = performance.now()
      if (nowMs - fromMs > hangMs) awayUntilMs = nowMs + pollMs
      return answer
    })
  }

  const catchUpOnce = async (): Promise<boolean> => {
    try {
      forget(await changes.catchUp())
      isAvailable()
      return true
    } catch (error) {
      pollFailed(error)
      return false
    }
  }

  const catchUpNow = (): Promise<boolean> => {
    catchingUp ??= catchUpOnce().finally(() => {
      catchingUp = undefined
    })
    return catchingUp
  }

  const catchUp = async (): Promise<void> => {
    // One that is under way may have read before the caller's commit; a new one begins after it.
    if (catchingUp !== undefined) await catchingUp
    // The change is committed, and its answer is passed on all the same: until the changes are known, every scan asks. The
    // timer does not do this, as without a change what is in memory holds while the catalogue is away.
    if (!(await catchUpNow())) suspectAll()
  }

  const { poll } = changes
  const timer = poll === undefined ? setInterval(() => void catchUpNow(), pollMs).unref() : undefined

  return {
    resolve: (code) => {
      if (poll !== undefined) pollOncePerTurn(poll)
      const answer = known.get(code) ?? unknown.get(code)
      if (answer === undefined) return asked.get(code) ?? ask(code)
      // A page with the logo of before is one that was changed, too.
      const isOld = answer.brand !== undefined && !brands.isCurrent(answer.brand)
      if (isSuspect || isOld || answer.isStale === true) return askFirst(code, answer)
      counts.hits++
      return answer
    },
    catchUp,
    stats: () => ({ entries: known.size + unknown.size, ...counts }),
    close: () => clearInterval(timer),
  }
}
