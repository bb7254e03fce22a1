import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ComparedLink } from '@everscan/contract/moves/comparisons.ts'
import { codeKey } from '@everscan/contract/resources/short-codes.ts'
import {
  failureOf,
  type ComparisonInput,
  type ComparisonProgress,
  type StoredLink,
} from '../../catalogue/rows/comparison-row.ts'
import { wholeDetail } from '../../catalogue/rows/named-problem.ts'
import type { Database } from '../../db/database.ts'
import { advanceJob, endJob, type Claim } from '../queue.ts'
import type { JobKind } from '../start-jobs.ts'
import type { AddressAnswer, AddressLook } from './look-at-address.ts'

export type ComparisonOptions = {
  look: AddressLook['look']
  /** Returns where a scan of each code leads, by its key; undefined: it does not redirect. */
  locationsOf: (keys: readonly string[]) => Promise<ReadonlyMap<string, string | undefined>>
  clock?: () => number
  /** The pause between two requests to the old service. */
  pauseMs?: number
}

/** A step ends early, so that its lease does not. */
const stepMsMax = 1_500
/** If the first links get no answer, the old service is not there. */
const silentLinksMax = 5
const waitsMax = 10
const waitMsMax = 60_000
const waitMsDefault = 5_000
/** Old services lead from http to https, or from www, before they lead to the destination. */
const hopsMax = 3
const shownCharsMax = 1_000

/**
 * Returns the job kind of comparisons. Links are asked one after the other with a pause, and the
 * old service may ask for more time (429, 503). A killed worker repeats a few requests at most.
 */
export function comparisonJobs(options: ComparisonOptions): JobKind {
  const { look, locationsOf, clock = Date.now, pauseMs = 100 } = options

  async function step(db: Database, claim: Claim): Promise<void> {
    const { links, domain }: ComparisonInput = JSON.parse(claim.input)
    const before: ComparisonProgress = JSON.parse(claim.progress)
    const left = links.slice(before.comparedLinks)
    const { hostname = '', codes } = domain ?? {}
    const keyOf = (shortCode: string) => codeKey({ shortCode, domain: hostname, codes })
    const locations = await locationsOf(left.map(({ shortCode }) => keyOf(shortCode)))
    const differences = [...before.differences]
    const progress = { ...before, differences, waits: 0 }
    const untilMs = performance.now() + stepMsMax
    for (const { shortCode, url } of left) {
      const { answer, location: oldLocation } = await follow(url, look)
      const waitMs = waitOf(answer)
      if (waitMs !== undefined && before.waits < waitsMax && progress.comparedLinks === before.comparedLinks)
        return advance({ ...progress, waits: before.waits + 1 }, waitMs)
      // The links before this one are saved first.
      if (waitMs !== undefined && progress.comparedLinks > before.comparedLinks)
        return advance(progress, waitMs)
      const location = locations.get(keyOf(shortCode))
      progress.comparedLinks++
      if (oldLocation !== undefined && isSame(oldLocation, location, url)) progress.sameCount++
      else differences.push(difference({ shortCode, url, location, oldLocation, answer }))
      if (isSilent(progress))
        return end('FAILED', {
          ...progress,
          ...failureOf(silence(urlHost(url), differences)),
        })
      if (performance.now() > untilMs) break
      await sleep(pauseMs)
    }
    return progress.comparedLinks < links.length ? advance(progress, 0) : end('COMPLETED', progress)

    async function advance(reached: ComparisonProgress, waitMs: number): Promise<void> {
      const nowMs = clock()
      await advanceJob(db, claim, { progress: reached, nowMs, runAtMs: nowMs + waitMs })
    }

    async function end(status: 'COMPLETED' | 'FAILED', reached: ComparisonProgress): Promise<void> {
      await endJob(db, claim, { status, progress: reached, nowMs: clock() })
    }
  }

  async function giveUp(db: Database, claim: Claim): Promise<void> {
    const progress: ComparisonProgress = {
      ...JSON.parse(claim.progress),
      ...failureOf(problem('linksNotCompared')),
    }
    await endJob(db, claim, { status: 'FAILED', progress, nowMs: clock() })
  }

  return { step, giveUp }
}

/** Follows redirects that stay on the host of the short URL. */
async function follow(
  url: string,
  look: AddressLook['look'],
): Promise<{ answer: AddressAnswer; location: string | undefined }> {
  let asked = url
  for (let hop = 0; ; hop++) {
    const answer = await look(asked)
    const location = locationOf(answer, asked)
    const stays = location !== undefined && bareHost(location) === bareHost(url) && hop < hopsMax
    if (!stays) return { answer, location }
    asked = location
  }
}

function locationOf(answer: AddressAnswer, asked: string): string | undefined {
  if (!('status' in answer) || answer.status < 300 || answer.status > 399) return undefined
  const { location } = answer
  return location !== undefined && URL.canParse(location, asked) ? new URL(location, asked).href : undefined
}

/** Returns the host without `www.`. */
const bareHost = (url: string): string => urlHost(url).replace(/^www\./, '')

function urlHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

function waitOf(answer: AddressAnswer): number | undefined {
  if (!('status' in answer) || (answer.status !== 429 && answer.status !== 503)) return undefined
  return Math.min(answer.retryAfterMs ?? waitMsDefault, waitMsMax)
}

/** Whether two addresses are the same once a browser has read them. */
function isSame(old: string, here: string | undefined, base: string): boolean {
  return here !== undefined && URL.canParse(here, base) && new URL(here, base).href === old
}

function isSilent({ comparedLinks, differences }: ComparisonProgress): boolean {
  return (
    comparedLinks === silentLinksMax &&
    differences.filter((link) => link.problem !== null).length === silentLinksMax
  )
}

/** Tells that the old service does not answer, with the problem of the first link. */
function silence(service: string, [first]: readonly StoredLink[]): Problem {
  const [last] = first?.details ?? []
  return problem('serviceSilent', { ...last?.values, service, last: last?.problem ?? '' })
}

function difference({
  shortCode,
  url,
  location,
  oldLocation,
  answer,
}: {
  shortCode: string
  url: string
  location: string | undefined
  oldLocation: string | undefined
  answer: AddressAnswer
}): ComparedLink {
  const hasAnswer = 'status' in answer
  return {
    shortCode,
    url,
    oldStatus: hasAnswer ? answer.status : null,
    oldLocation: shown(oldLocation),
    location: shown(location),
    problem: hasAnswer ? null : answer.problem.message,
    details: hasAnswer ? [] : [wholeDetail(answer.problem)],
  }
}

function shown(address: string | undefined): string | null {
  if (address === undefined) return null
  return address.length > shownCharsMax ? `${address.slice(0, shownCharsMax)}…` : address
}
