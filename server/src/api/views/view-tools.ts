import { limits } from '@everscan/contract/schema/limits.ts'
import { createAddressHash } from '../../catalogue/mails/address-hash.ts'
import { createSecretBox } from '../../secret-box.ts'
import type { ViewTools } from '../http/api-context.ts'
import { createMailTokenBox } from '../http/mails/mail-tokens.ts'
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

/** The tools that the worker uses too, for mails and the links in them. */
export function createViewBoxes(secret: string): Pick<ViewTools, 'linkBox' | 'leaveBox' | 'addressHash'> {
  return {
    linkBox: createSecretBox(secret, 'public links of views'),
    leaveBox: createMailTokenBox(secret),
    addressHash: createAddressHash(secret),
  }
}
