import type { TypedQrCode, TypedUpdateQrCode } from '@everscan/client/create-client.ts'
import type { Access, UnknownAnswer } from '@everscan/contract/access/access.ts'

export type ClosingKind = 'page' | 'message' | 'url'

/** The fields of the card as they are typed. */
export type AccessDraft = {
  /** Local times in the form of `datetime-local`. */
  startsAt: string
  endsAt: string
  scanLimit: string
  whenUnknown: UnknownAnswer
  /** A new password; empty: none. */
  password: string
  removesPassword: boolean
  closing: ClosingKind
  message: string
  url: string
}

/** Returns the fields that show the access of a code. */
export function accessDraftOf({ access }: Pick<TypedQrCode, 'access'>): AccessDraft {
  const { startsAt, endsAt, scanLimit, whenUnknown = 'open', closed } = access ?? {}
  return {
    startsAt: localTime(startsAt),
    endsAt: localTime(endsAt),
    scanLimit: scanLimit === undefined ? '' : String(scanLimit),
    whenUnknown,
    password: '',
    removesPassword: false,
    closing: closed?.url !== undefined ? 'url' : closed?.message !== undefined ? 'message' : 'page',
    message: closed?.message ?? '',
    url: closed?.url ?? '',
  }
}

export type AccessChanges = NonNullable<TypedUpdateQrCode['access']>

/** Returns what a save sends: only what differs. */
export function accessChanges(before: AccessDraft, draft: AccessDraft): AccessChanges {
  const differs = (...names: (keyof AccessDraft)[]) => names.some((name) => before[name] !== draft[name])
  return {
    ...(differs('startsAt') && { startsAt: utcTime(draft.startsAt) }),
    ...(differs('endsAt') && { endsAt: utcTime(draft.endsAt) }),
    ...(differs('scanLimit') && { scanLimit: draft.scanLimit === '' ? null : Number(draft.scanLimit) }),
    ...(differs('whenUnknown') && { whenUnknown: draft.whenUnknown }),
    ...(draft.removesPassword ? { password: null } : draft.password !== '' && { password: draft.password }),
    ...(differs('closing', 'message', 'url') && { closed: closedOf(draft) }),
  }
}

/** Returns the changes that bring stored access back. The password stays. */
export function accessUndo(access: Access | null): AccessChanges {
  const { startsAt = null, endsAt = null, scanLimit = null, whenUnknown = null, closed = null } = access ?? {}
  return { startsAt, endsAt, scanLimit, whenUnknown, closed }
}

function closedOf({ closing, message, url }: AccessDraft): NonNullable<AccessChanges['closed']> | null {
  if (closing === 'page') return null
  return closing === 'url' ? { url: url.trim() } : { message }
}

/** Returns a stored time as the clocks of this browser show it, to the minute. */
function localTime(stored: string | undefined): string {
  if (stored === undefined) return ''
  const time = new Date(stored)
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

function utcTime(local: string): string | null {
  return local === '' ? null : new Date(local).toISOString()
}
