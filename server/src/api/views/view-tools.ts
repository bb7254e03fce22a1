import { limits } from '@everscan/contract/schema/limits.ts'
import { createSecretBox, type SecretBox } from '../../secret-box.ts'
import type { ViewTools } from '../http/api-context.ts'
import { ownLimiters, type Limiters } from '../http/limits/limiters.ts'
import { FigureCache } from './figure-cache.ts'

export function createViewTools(secret: string, limiters: Limiters = ownLimiters): ViewTools {
  return {
    ...createViewBoxes(secret),
    unlockBox: createSecretBox(secret, 'unlocked views'),
    attempts: limiters.attempts('view passwords'),
    brake: limiters.brake('view passwords'),
    reads: limiters.rate('reads of views', limits.sharedViewReadsPerMinute),
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
