import { Type, type Static } from 'typebox'
import { Count, Text, Timestamp, Url, nullable, oneOf, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { daysUntilGuessed } from './password-worth.ts'
import { patterns } from '../schema/patterns.ts'

/** Whether visitors get the content of a code now, and if not, why. */
export const qrCodeStates = ['LIVE', 'SCHEDULED', 'ENDED', 'FULL', 'ARCHIVED'] as const
export type QrCodeState = (typeof qrCodeStates)[number]
export const QrCodeState = oneOf(qrCodeStates, {
  description:
    'Whether visitors get the content now: LIVE; SCHEDULED, before `access.startsAt`; ENDED, from `access.endsAt` on; FULL, after `access.scanLimit` answers; ARCHIVED by its status.',
})

/** The answers of a code with a limit while the catalogue, which counts, is away. */
export const unknownAnswers = ['open', 'closed'] as const
export type UnknownAnswer = (typeof unknownAnswers)[number]

/** The answer while a code is closed: another address, or a text on our own page. */
export const Closed = strictObject(
  {
    url: Type.Optional(Url('Address to which visitors are redirected.')),
    message: Type.Optional(
      Text(
        limits.closedMessageCharsMax,
        `Text of the page, 1 to ${limits.closedMessageCharsMax} characters.`,
        { minLength: 1 },
      ),
    ),
  },
  {
    description:
      'What visitors get while the code is closed: `url` or `message`. Absent: a page in their language that says why.',
    examples: [{ message: 'We are back in May.' }],
  },
)
export type Closed = Static<typeof Closed>

const moment = (description: string) =>
  Type.String({
    description,
    pattern: patterns.moment,
    maxLength: 40,
    examples: ['2026-05-01T08:00:00+02:00'],
  })
const ScanLimit = Type.Integer({
  description: 'Most answers to people, on all machines together.',
  minimum: 1,
  maximum: limits.scanLimitMax,
  examples: [1000],
})
const WhenUnknown = oneOf(unknownAnswers, {
  description:
    'What a code with a limit does while the catalogue, which counts, does not answer: `open` (default) answers and counts afterwards, `closed` does not answer.',
})
const Password = Type.String({
  description: `Password that visitors must enter, 1 to ${limits.accessPasswordCharsMax} characters. Write-only. Wrong ones are limited by network and for the code: four random digits are found in about ${daysUntilGuessed('0000')} days, and six in years, by somebody who tries from many networks. Eight letters and digits are worth more.`,
  minLength: 1,
  maxLength: limits.accessPasswordCharsMax,
  pattern: patterns.password,
})

const inputFields = {
  startsAt: Type.Optional(nullable(moment('When the code opens, ISO 8601 with time zone.'))),
  endsAt: Type.Optional(nullable(moment('When the code closes (exclusive), ISO 8601 with time zone.'))),
  scanLimit: Type.Optional(nullable(ScanLimit)),
  whenUnknown: Type.Optional(nullable(WhenUnknown)),
  password: Type.Optional(nullable(Password)),
  closed: Type.Optional(nullable(Closed)),
}

const inputOptions = {
  description:
    'When the code is open, for how many, and for whom. Merged by key: null removes a key. Null instead of the object removes all.',
  examples: [{ startsAt: '2026-05-01T08:00:00+02:00', scanLimit: 1000 }],
}

/** Access as a client sends it. Merged by key: null removes one. */
export const AccessInput = strictObject(inputFields, inputOptions)
export type AccessInput = Static<typeof AccessInput>

const computedFields = {
  hasPassword: Type.Boolean({ description: 'Whether visitors must enter a password.' }),
  scanCount: Count('Answers to people since the limit was set; 0 without a limit.'),
}

/** Access in a PUT: also takes what only the record has, and ignores it. */
export const UpdateAccess = strictObject(
  {
    ...inputFields,
    hasPassword: Type.Optional(Type.Boolean({ description: 'Ignored: the record has it.' })),
    scanCount: Type.Optional(Count('Ignored: the record has it.')),
  },
  inputOptions,
)
export type UpdateAccess = Static<typeof UpdateAccess>

const storedFields = {
  startsAt: Type.Optional(Timestamp('When the code opens.')),
  endsAt: Type.Optional(Timestamp('When the code closes (exclusive).')),
  scanLimit: Type.Optional(ScanLimit),
  whenUnknown: Type.Optional(WhenUnknown),
  closed: Type.Optional(Closed),
}

/** Access as it is stored, without the password: all that a version of the history has. */
export const StoredAccess = strictObject(storedFields, {
  description: 'When the code is open, and for how many. Null: always, for everybody.',
})
export type StoredAccess = Static<typeof StoredAccess>

/** Access as the record has it. */
export const Access = strictObject(
  { ...storedFields, ...computedFields },
  { description: 'When the code is open, for how many, and for whom. Null: always, for everybody.' },
)
export type Access = Static<typeof Access>

/** The facts that make the state of a code. `scanCount` is the number of answers so far. */
export type StateFacts = {
  status: 'ACTIVE' | 'ARCHIVED'
  access: StoredAccess | null
  scanCount: number
}

/** Returns the state of a code at a time, in milliseconds since 1970. */
export function stateOf({ status, access, scanCount }: StateFacts, nowMs: number): QrCodeState {
  if (status === 'ARCHIVED') return 'ARCHIVED'
  if (access === null) return 'LIVE'
  const { startsAt, endsAt, scanLimit } = access
  if (endsAt !== undefined && nowMs >= Date.parse(endsAt)) return 'ENDED'
  if (startsAt !== undefined && nowMs < Date.parse(startsAt)) return 'SCHEDULED'
  return scanLimit !== undefined && scanCount >= scanLimit ? 'FULL' : 'LIVE'
}

/** Merges changes into stored access by key; null removes one. Returns null if no key is left. */
export function mergeAccess(
  before: StoredAccess | null,
  changes: Omit<AccessInput, 'password'> | null,
): StoredAccess | null {
  if (changes === null) return null
  const { startsAt, endsAt, scanLimit, whenUnknown, closed } = changes
  const given = { startsAt: utc(startsAt), endsAt: utc(endsAt), scanLimit, whenUnknown, closed }
  const merged = Object.entries({ ...before, ...withoutUndefined(given) }).filter(
    ([, value]) => value !== null,
  )
  return merged.length === 0 ? null : Object.fromEntries(merged)
}

function withoutUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** A time that does not exist stays as it is: `accessProblems` names it. */
function utc(text: string | null | undefined): string | null | undefined {
  if (text === null || text === undefined) return text
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? text : new Date(atMs).toISOString()
}
