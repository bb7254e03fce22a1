import { setTimeout as sleep } from 'node:timers/promises'
import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import type { AddressAnswer, AddressLook } from './look-at-address.ts'

/** Hosts that are asked at the same time; of each, one address. */
const hostsMax = 8
/** A look that begins by then ends before the lease of its job. */
const beginMsMax = 1_000

/**
 * Why a destination gives no page; null: it gives one. Addresses for which there was no time are
 * absent.
 */
export type DestinationLooks = (urls: readonly string[]) => Promise<ReadonlyMap<string, Problem | null>>

/**
 * Creates a look at destinations: several hosts at a time, one address of each at a time with a
 * pause, for as long as a step of a job may take.
 */
export function createDestinationLooks(
  look: AddressLook['look'],
  { pauseMs = 100 }: { pauseMs?: number } = {},
): DestinationLooks {
  return async (urls) => {
    const found = new Map<string, Problem | null>()
    const waiting = [...Map.groupBy(new Set(urls), hostOf).values()]
    const untilMs = performance.now() + beginMsMax
    const isLate = () => performance.now() > untilMs
    const lane = async () => {
      for (let ofHost = waiting.shift(); ofHost !== undefined && !isLate(); ofHost = waiting.shift())
        for (const url of ofHost) {
          if (isLate()) return
          found.set(url, warningOf(await look(url)))
          if (url !== ofHost.at(-1)) await sleep(pauseMs)
        }
    }
    await Promise.all(Array.from({ length: hostsMax }, lane))
    return found
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

/** Statuses of pages that are there, but not for programs that ask often or without an account. */
const isForOthers = new Set([401, 403, 405, 407, 408, 425, 429, 451, 503, 999])

function warningOf(answer: AddressAnswer): Problem | null {
  if (!('status' in answer)) return answer.problem
  const { status } = answer
  return status < 400 || isForOthers.has(status) ? null : problem('pageAnswers', { status })
}
