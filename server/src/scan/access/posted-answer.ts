import { prepareHead, readHead } from '../internals/prepared-head.ts'
import type { RecentCache } from '../recent-cache.ts'
import type { Reply, ScanAnswer } from '../scan-answer.ts'

/** A visitor who enters the password again so soon is not another scan. */
const sameScanMs = 10_000

/**
 * Whether a visitor entered the password of a code a moment ago, by its `memoryKey`. Remembers that
 * one does now.
 */
export function isRepeated(posted: RecentCache<number>, key: string): boolean {
  const nowMs = Date.now()
  if ((posted.get(key) ?? 0) > nowMs - sameScanMs) return true
  posted.set(key, nowMs)
  return false
}

/**
 * Returns the answer to a POST: a redirect asks for its destination with GET (303, RFC 9110,
 * 15.4.4), and a repeated one is not recorded.
 */
export function postedAnswer(answer: ScanAnswer, isSameScan: boolean): ScanAnswer {
  const { recorded, ruled, reply, ...rest } = answer
  return {
    ...rest,
    ...(recorded !== undefined && !isSameScan && { recorded }),
    ...(ruled !== undefined && {
      ruled: { ...ruled, choose: (visitor) => postedAnswer(ruled.choose(visitor), isSameScan) },
    }),
    reply: typeof reply === 'function' ? (visitor) => later(reply(visitor)) : seeOther(reply),
  }
}

function later(reply: Reply | Promise<Reply>): Reply | Promise<Reply> {
  return reply instanceof Promise ? reply.then(seeOther) : seeOther(reply)
}

function seeOther(reply: Reply): Reply {
  return 'head' in reply ? { head: prepareHead(303, readHead(reply.head).headers) } : reply
}
