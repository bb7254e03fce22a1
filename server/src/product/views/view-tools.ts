import { limits } from '@everscan/contract/schema/limits.ts'
import { createAddressHash, type AddressHash } from '../../catalogue/mails/address-hash.ts'
import { createSecretBox, type SecretBox } from '../../secret-box.ts'
import { createMailTokenBox } from '../mails/mail-tokens.ts'
import { ownLimiters, type Limiters } from '../../limits/limiters.ts'
import type { Brake } from '../../limits/account-brake.ts'
import type { Attempts } from '../../limits/attempt-limiter.ts'
import type { RateLimit } from '../../limits/rate-limit.ts'
import { FigureCache, type SharedFigures } from './figure-cache.ts'

/** The dependencies of saved views, besides the catalogue and the scan store. */
export type ViewTools = {
  /** Seals the tokens of public links. */
  linkBox: SecretBox
  /** Seals the cookies of browsers that sent the password of a link. */
  unlockBox: SecretBox
  /** Seals the links by which the owners of addresses answer mails. */
  leaveBox: SecretBox
  addressHash: AddressHash
  attempts: Attempts
  brake: Brake
  /** Counts the requests for one view from everywhere. */
  reads: RateLimit
  figures: SharedFigures
}

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
