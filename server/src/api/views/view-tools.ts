import { limits } from '@everscan/contract/schema/limits.ts'
import { createSecretBox, type SecretBox } from '../../secret-box.ts'
import type { ViewTools } from '../http/api-context.ts'
import { AccountBrake } from '../http/limits/account-brake.ts'
import { AttemptLimiter } from '../http/limits/attempt-limiter.ts'
import { createRateLimit } from '../http/limits/rate-limit.ts'
import { FigureCache } from './figure-cache.ts'

export function createViewTools(secret: string): ViewTools {
  return {
    ...createViewBoxes(secret),
    unlockBox: createSecretBox(secret, 'unlocked views'),
    attempts: new AttemptLimiter(),
    brake: new AccountBrake(),
    reads: createRateLimit(limits.sharedViewReadsPerMinute),
    figures: new FigureCache(),
  }
}

/** The boxes that the worker uses too, for the links in mails. */
export function createViewBoxes(secret: string): Record<'linkBox' | 'leaveBox', SecretBox> {
  return {
    linkBox: createSecretBox(secret, 'public links of views'),
    leaveBox: createSecretBox(secret, 'addresses of view mails'),
  }
}
