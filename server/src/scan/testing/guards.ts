import { pino } from 'pino'
import { PasswordTurns, type TurnAnswer, type TurnLimits } from '../../password-turns.ts'
import type { GuardContext } from '../access/guard.ts'
import { ScanLimits, type LimitCounters } from '../access/scan-limits.ts'
import type { ScanContext } from '../handler.ts'
import { RecentCache } from '../recent-cache.ts'

type Guards = Omit<GuardContext, 'sources'> & Pick<ScanContext, 'posted'>

const turnLimits: TurnLimits = { checksMax: 4, waitMs: 2_000, wrongMax: 10, windowMs: 600_000 }

/** Returns what guards need, with these counters, and passwords that are their own hash. */
export function someGuards(counters: Partial<LimitCounters> = {}): Guards {
  const turns = new PasswordTurns(turnLimits)
  const nothing: LimitCounters = {
    take: async () => undefined,
    isFull: async () => false,
    giveBack: async () => undefined,
    addOwed: async () => undefined,
  }
  return {
    limits: new ScanLimits({ ...nothing, ...counters }, pino({ level: 'silent' })),
    gate: {
      begin: (key) => new Promise<TurnAnswer>((resolve) => turns.begin(key, turns, resolve)),
      end: (key, isRight) => turns.end(key, turns, isRight),
      verify: async (password, hash) => password === hash,
    },
    answered: new RecentCache(100),
    posted: new RecentCache(100),
  }
}

/** Returns guards for tests without codes that have any. */
export const noGuards = (): Guards => someGuards()
