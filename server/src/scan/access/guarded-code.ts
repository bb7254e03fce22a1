import { isRecord } from '@everscan/contract/schema/records.ts'
import { fieldsOf } from '@everscan/contract/schema/fields.ts'
import { webAddress } from '@everscan/contract/code-types/destinations.ts'
import type { Closing, GuardedCode } from '@everscan/pages/access-pages.ts'
import { pageColors } from '@everscan/pages/page-colors.ts'
import type { ScanTarget } from '../../db/scans/scan-lookup.ts'
import type { LimitKey } from '../../db/scans/limit-excesses.ts'
import type { Brands } from '../brands.ts'

/** The limit of a code, as its front knows it. */
export type KnownLimit = LimitKey & { resets: number; whenUnknown: 'open' | 'closed' }

/** The conditions before the content of a code. */
export type CodeGuard = LimitKey & {
  startsAtMs: number
  endsAtMs: number
  limit?: KnownLimit
  /** A PHC string. */
  passwordHash?: string
  /** The address for closed visitors, in the form of a header. */
  closedLocation?: string
  /** The text of the page for closed visitors. */
  message?: string
  shown: GuardedCode
}

/** Whether something stands before the content of a code. */
export function isGuarded({ access, passwordHash }: ScanTarget): boolean {
  return access !== undefined || passwordHash !== undefined
}

/** Reads what stands before the content of a code. Times that cannot be read hold nobody up. */
export function guardOf(target: ScanTarget, brands: Brands): CodeGuard {
  const { organizationId, qrCodeId, passwordHash, limitResets = 0 } = target
  const access = fieldsOf(target.access)
  const closed = isRecord(access['closed']) ? access['closed'] : {}
  const timeOf = (name: string, absent: number) => {
    const atMs = typeof access[name] === 'string' ? Date.parse(access[name]) : Number.NaN
    return Number.isNaN(atMs) ? absent : atMs
  }
  const closedLocation = typeof closed['url'] === 'string' ? webAddress(closed['url']) : undefined
  const whenUnknown = access['whenUnknown'] === 'closed' ? 'closed' : 'open'
  return {
    organizationId,
    qrCodeId,
    startsAtMs: timeOf('startsAt', -Infinity),
    endsAtMs: timeOf('endsAt', Infinity),
    ...(typeof access['scanLimit'] === 'number' && {
      limit: { organizationId, qrCodeId, resets: limitResets, whenUnknown },
    }),
    ...(passwordHash !== undefined && { passwordHash }),
    ...(closedLocation !== undefined && { closedLocation }),
    ...(typeof closed['message'] === 'string' && { message: closed['message'] }),
    shown: {
      name: target.name,
      colors: pageColors(target.style),
      brand: brands.share(organizationId, target.brand),
    },
  }
}

/** Returns why a code is closed at a time, apart from its limit. */
export function closingAt({ startsAtMs, endsAtMs }: CodeGuard, nowMs: number): Closing | undefined {
  if (nowMs >= endsAtMs) return 'ENDED'
  return nowMs < startsAtMs ? 'SCHEDULED' : undefined
}
