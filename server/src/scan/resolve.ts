import { changedOrganization, everyCode, type ChangeFeed } from '../db/changes.ts'
import type { ScanLookup, ScanTarget } from '../db/scan-lookup.ts'
import { errorMessage } from '../errors.ts'
import type { Log } from '../log.ts'
import { prepareAnswer, type ScanAnswer } from './answer.ts'
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
  let catchingUp: Promise<void> | undefined
  let failing = false

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
      known.delete(code)
      unknown.delete(code)
      // A look-up under way may have read what stood before: its answer is given, not remembered.
      asked.delete(code)
    }
  }

  const remember = (code: string, target: ScanTarget | undefined): ScanAnswer => {
    const answer = prepareAnswer(target, parts)
    ;(target === undefined ? unknown : known).set(code, answer)
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
      failing = false
    } catch (error) {
      pollFailed(error)
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

  const catchUpOnce = async (): Promise<void> => {
    try {
      forget(await changes.catchUp())
      failing = false
    } catch (error) {
      pollFailed(error)
    }
  }

  const catchUp = async (): Promise<void> => {
    // One that is under way may have read before the caller's commit; a new one begins after it.
    if (catchingUp !== undefined) await catchingUp
    catchingUp ??= catchUpOnce().finally(() => {
      catchingUp = undefined
    })
    await catchingUp
  }

  const { poll } = changes
  const timer = poll === undefined ? setInterval(() => void (catchingUp ?? catchUp()), pollMs) : undefined

  return {
    resolve: (code) => {
      if (poll !== undefined) pollOncePerTurn(poll)
      const answer = known.get(code) ?? unknown.get(code)
      if (answer === undefined) return asked.get(code) ?? ask(code)
      if (answer.brand !== undefined && !brands.isCurrent(answer.brand)) {
        const fresh = asked.get(code) ?? ask(code)
        // While the catalogue is away, a page with the logo of before is better than none.
        return fresh instanceof Promise ? fresh.catch(() => answer) : fresh
      }
      counts.hits++
      return answer
    },
    catchUp,
    stats: () => ({ entries: known.size + unknown.size, ...counts }),
    close: () => clearInterval(timer),
  }
}
