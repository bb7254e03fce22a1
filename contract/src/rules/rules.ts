import { Type, type Static, type TProperties } from 'typebox'
import { Id, IdInput, Line, OptionalLine, nullable, oneOf, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { patterns } from '../schema/patterns.ts'
import { weekdays } from '../schema/weekdays.ts'
import type { QrCodeDataByType, QrCodeType } from '../code-types/code-types.ts'
import { OpenData } from '../code-types/open-data.ts'
import { DeviceType } from './device-names.ts'

const listOf = <S extends ReturnType<typeof Type.String> | typeof DeviceType>(
  entry: S,
  description: string,
) =>
  Type.Optional(
    Type.Array(entry, { description, minItems: 1, maxItems: limits.ruleValuesMax, uniqueItems: true }),
  )
const clockTime = (description: string) =>
  Type.Optional(Type.String({ description, pattern: patterns.clockTime, examples: ['11:00'] }))
const moment = (description: string) =>
  Type.Optional(Type.String({ description, pattern: patterns.moment, maxLength: 40 }))

export const visits = ['first', 'again'] as const

const City = strictObject({
  country: Type.String({
    description: 'ISO 3166-1 country code.',
    pattern: patterns.ruleCountry,
    examples: ['DE'],
  }),
  city: Line(limits.ruleTextCharsMax, 'Name of the city, as in analytics.'),
})

/** The conditions of a rule, each of which must hold. In a list, any entry suffices. */
const conditionFields = {
  countries: listOf(
    Type.String({ pattern: patterns.ruleCountry, examples: ['DE'] }),
    'ISO 3166-1 country codes.',
  ),
  regions: listOf(
    Type.String({ pattern: patterns.region, examples: ['DE-BY'] }),
    'ISO 3166-2 codes of states or regions.',
  ),
  cities: Type.Optional(
    Type.Array(City, {
      description: 'Cities, as in analytics.',
      minItems: 1,
      maxItems: limits.ruleValuesMax,
    }),
  ),
  languages: listOf(
    Type.String({ pattern: patterns.language, maxLength: 35, examples: ['de'] }),
    'BCP 47 tags. Of the languages of a visitor, the one they prefer most counts; `de` takes `de-AT`.',
  ),
  devices: listOf(DeviceType, 'Types of device.'),
  os: listOf(Line(limits.ruleTextCharsMax, 'Name.'), 'Operating systems, named as in analytics.'),
  browsers: listOf(Line(limits.ruleTextCharsMax, 'Name.'), 'Browsers, named as in analytics.'),
  days: Type.Optional(
    Type.Array(oneOf(weekdays), {
      description:
        'Days of the week in `timeZone`. With hours that go over midnight: the days on which they begin.',
      minItems: 1,
      maxItems: weekdays.length,
      uniqueItems: true,
    }),
  ),
  from: clockTime('Start of the hours in `timeZone`, HH:MM, inclusive.'),
  to: clockTime('End of the hours, HH:MM, exclusive. Earlier than `from`: the hours go over midnight.'),
  startsAt: moment('From this time on, ISO 8601 with time zone.'),
  endsAt: moment('Until this time (exclusive), ISO 8601 with time zone.'),
  timeZone: Type.Optional(
    Type.String({
      description: 'IANA time zone; required with days or hours.',
      maxLength: 64,
      pattern: patterns.timezone,
      examples: ['Europe/Berlin'],
    }),
  ),
  query: Type.Optional(
    Type.Unsafe<Record<string, string | null>>({
      type: 'object',
      propertyNames: { type: 'string', pattern: patterns.queryName },
      additionalProperties: nullable(OptionalLine(limits.ruleTextCharsMax, 'Value; null is any value.')),
      minProperties: 1,
      maxProperties: limits.ruleQueryNamesMax,
      description: 'Parameters of the query of the scan; null is any value.',
      examples: [{ table: '7' }],
    }),
  ),
  networks: listOf(
    Type.String({ minLength: 1, maxLength: limits.networkCharsMax, examples: ['203.0.113.0/24'] }),
    'Networks of visitors in CIDR notation.',
  ),
  visit: Type.Optional(
    oneOf(visits, {
      description:
        'Whether the visitor scanned this code before, as far as the memory of the answering process goes: an approximation.',
    }),
  ),
} satisfies TProperties

/** The fields of `not`: none of them may hold. */
export const ExcludedConditions = strictObject(conditionFields, {
  description:
    'None of these fields may hold. `from` and `to` are one field, as are `startsAt` and `endsAt`.',
})
export type ExcludedConditions = Static<typeof ExcludedConditions>

/** When a rule answers: every given field must hold. What is unknown fulfils no field. */
export const Conditions = strictObject(
  { ...conditionFields, not: Type.Optional(ExcludedConditions) },
  {
    description:
      'Every given field must hold; in a list, any entry. What is unknown of a visitor fulfils no field, and none of `not`.',
  },
)
export type Conditions = Static<typeof Conditions>

const ArmName = Line(
  limits.ruleArmNameCharsMax,
  'Name of the arm, unique in its rule; it decides who gets the arm.',
)

/** A part of the visitors of a rule. */
export const RuleArm = strictObject({
  name: ArmName,
  weight: Type.Integer({
    description: 'Share of the visitors, relative to the other arms.',
    minimum: 1,
    maximum: limits.ruleWeightMax,
  }),
  data: OpenData,
})
export type RuleArm = Static<typeof RuleArm>

const ruleFields = {
  name: Line(limits.ruleNameCharsMax, `Name, 1 to ${limits.ruleNameCharsMax} characters.`),
  when: Type.Optional(Conditions),
  data: Type.Optional(OpenData),
  split: Type.Optional(
    Type.Array(RuleArm, {
      description:
        'Divides the visitors among arms, in place of `data`. The same visitor always gets the same arm; a change of weights moves as few visitors as it must.',
      minItems: limits.ruleArmsMin,
      maxItems: limits.ruleArmsMax,
    }),
  ),
}

/** A rule of a code: who gets other content than the code's own. */
export const Rule = strictObject({
  id: Id('rul'),
  enabled: Type.Boolean({ description: 'Whether the rule is in use.' }),
  ...ruleFields,
})
export type Rule = Static<typeof Rule>

/** A rule as a client sends it. Without an id, the rule is new. */
export const RuleInput = strictObject({
  id: Type.Optional(IdInput('Identifier of a rule of this code, which keeps it. Absent: a new rule.')),
  enabled: Type.Optional(Type.Boolean({ description: 'Whether the rule is in use.', default: true })),
  ...ruleFields,
})
export type RuleInput = Static<typeof RuleInput>

/** The rules of a code, as the record has them. */
export const Rules = Type.Array(Rule, {
  description: 'Rules in their order: the first whose conditions hold answers, else `data` of the code.',
  examples: [
    [
      {
        id: 'rul_01jqzv4x8m3c5t7w9y2b4d6f8h',
        name: 'German',
        enabled: true,
        when: { countries: ['DE', 'AT'], languages: ['de'] },
        data: { url: 'https://example.com/de' },
      },
    ],
  ],
})

/** The rules of a code, as a client sends them. */
export const RulesInput = Type.Array(RuleInput, {
  description: `All rules in their order, at most ${limits.rulesMax}: the first whose conditions hold answers, else \`data\` of the code.`,
  maxItems: limits.rulesMax,
  examples: [
    [
      {
        name: 'German',
        when: { countries: ['DE', 'AT'], languages: ['de'] },
        data: { url: 'https://example.com/de' },
      },
    ],
  ],
})

/** Whether the query of a scan reaches the destination. */
export const PassQuery = Type.Boolean({
  description:
    'Whether the query string of the scan is added to the destination. Parameters of the destination stay its own.',
})

/** A rule whose content has a known shape. */
export type WithData<Part, Data> = Omit<Part, 'data' | 'split'> & {
  data?: Data
  split?: (Omit<RuleArm, 'data'> & { data: Data })[]
}

/** A rule of a code whose type is known. */
export type RuleOf<T extends QrCodeType> = WithData<Rule, QrCodeDataByType[T]>
/** A rule as a client sends it, for a code whose type is known. */
export type RuleInputOf<T extends QrCodeType> = WithData<RuleInput, QrCodeDataByType[T]>
