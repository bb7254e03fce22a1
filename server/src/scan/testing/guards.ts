import { pino } from 'pino'
import { CodePasswordTurns } from '../../turns/code-password-turns.ts'
import type { GuardContext } from '../access/guard.ts'
import { RightAnswers } from '../access/right-answers.ts'
import { ScanLimits, type LimitCounters } from '../access/scan-limits.ts'
import type { ScanContext } from '../scan-context.ts'
import { RecentCache } from '../recent-cache.ts'

type Guards = Omit<GuardContext, 'sources'> &
  Pick<ScanContext, 'posted'> & { passwordTurns: CodePasswordTurns }

/** Returns what guards need, with these counters, and passwords that are their own hash. */
export function someGuards(counters: Partial<LimitCounters> = {}): Guards {
  const turns = new CodePasswordTurns()
  let lastId = 0
  const nothing: LimitCounters = {
    take: async () => undefined,
    isFull: async () => false,
    giveBack: async () => undefined,
    addOwed: async () => undefined,
  }
  return {
    limits: new ScanLimits({ ...nothing, ...counters }, pino({ level: 'silent' })),
    gate: {
      begin: async (question) => {
        const by = { owner: turns, id: lastId++ }
        return { ...(await turns.begin(question, by)), end: (outcome) => turns.end(by, outcome) }
      },
      verify: async (password, hash) => password === hash,
      right: new RightAnswers(),
    },
    answered: new RecentCache(100),
    posted: new RecentCache(100),
    passwordTurns: turns,
  }
}

/** Returns guards for tests without codes that have any. */
export const noGuards = (): Guards => someGuards()
