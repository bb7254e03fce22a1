import { Type, type Static } from 'typebox'
import { Count, DateInput, Percentage, Timestamp, nullable, oneOf, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { patterns } from '../schema/patterns.ts'
import { OpenData } from '../code-types/open-data.ts'
import { Closed, QrCodeState, UpdateAccess } from '../access/access.ts'
import { DeviceType } from './device-names.ts'
import { RulesInput, visits } from './rules.ts'

const name = (description: string, example: string) =>
  Type.Optional(
    Type.String({
      description,
      minLength: 1,
      maxLength: limits.ruleTextCharsMax,
      pattern: patterns.line,
      examples: [example],
    }),
  )

/** A visitor as somebody describes them. What is absent is unknown. */
export const SimulatedVisitor = strictObject(
  {
    country: Type.Optional(
      Type.String({
        description: 'ISO 3166-1 country code. Default: that of `ip`.',
        pattern: patterns.ruleCountry,
        examples: ['DE'],
      }),
    ),
    region: Type.Optional(
      Type.String({
        description: 'ISO 3166-2 code. Default: that of `ip`.',
        pattern: patterns.region,
        examples: ['DE-BY'],
      }),
    ),
    city: name('City, as in analytics. Default: that of `ip`.', 'Munich'),
    languages: Type.Optional(
      Type.Array(Type.String({ pattern: patterns.language, maxLength: 35, examples: ['de-AT'] }), {
        description: 'BCP 47 tags, the preferred one first.',
        maxItems: limits.simulatedLanguagesMax,
      }),
    ),
    userAgent: Type.Optional(
      Type.String({
        description: 'User agent, read as that of a scan. In place of `device`, `os` and `browser`.',
        maxLength: limits.simulatedTextCharsMax,
      }),
    ),
    device: Type.Optional(DeviceType),
    os: name('Operating system, named as in analytics.', 'iOS'),
    browser: name('Browser, named as in analytics.', 'Safari'),
    at: Type.Optional(
      Type.String({
        description: 'Time of the scan, ISO 8601 with time zone. Default: now.',
        pattern: patterns.moment,
        maxLength: 40,
      }),
    ),
    query: Type.Optional(
      Type.Unsafe<Record<string, string>>({
        type: 'object',
        propertyNames: { type: 'string', pattern: patterns.queryName },
        additionalProperties: { type: 'string', maxLength: limits.ruleTextCharsMax },
        maxProperties: limits.ruleQueryNamesMax,
        description: 'Parameters of the query of the scan.',
        examples: [{ table: '7' }],
      }),
    ),
    ip: Type.Optional(
      Type.String({
        description: 'IPv4 or IPv6 address. It is neither stored nor logged.',
        minLength: 1,
        maxLength: limits.networkCharsMax,
        examples: ['203.0.113.7'],
      }),
    ),
    visit: Type.Optional(oneOf(visits, { description: 'Whether the visitor scanned the code before.' })),
    key: Type.Optional(
      Type.String({
        description:
          'Decides the arm of a split: another text is another visitor. Default: the visitor with this `ip` and `userAgent`.',
        maxLength: limits.simulatedTextCharsMax,
      }),
    ),
  },
  { description: 'A visitor. What is absent is unknown, and fulfils no condition.' },
)
export type SimulatedVisitor = Static<typeof SimulatedVisitor>

/** The body that asks what a visitor would get. */
export const SimulateRules = strictObject({
  rules: Type.Optional(RulesInput),
  access: Type.Optional(
    nullable(UpdateAccess, {
      description: 'Merged into the access of the code as a PUT would. A password is not stored.',
    }),
  ),
  visitor: SimulatedVisitor,
})
export type SimulateRules = Static<typeof SimulateRules>

const ruleId = nullable(
  Type.String({ description: 'Identifier of the rule. Null: a rule without an id, or none.' }),
)
const ruleIndex = Type.Integer({ description: 'Position of the rule in the list, from 0.', minimum: 0 })
const answeringRule = {
  ruleId,
  index: nullable(ruleIndex, {
    description: "Position of the rule in the list, from 0. Null: the code's own data answers.",
  }),
  name: nullable(Type.String({ description: "Name of the rule. Null: the code's own data answers." })),
  arm: nullable(Type.String({ description: 'Name of the arm. Null without a split.' })),
}

/** A rule that a scan came to, in their order. */
export const SimulatedStep = strictObject({
  ruleId,
  index: ruleIndex,
  name: Type.String({ description: 'Name of the rule.' }),
  matched: Type.Boolean({ description: 'Whether every condition holds: the rule then answers.' }),
  failed: Type.Array(Type.String(), {
    description:
      'Conditions that do not hold, by the name of their field; those of `not` as `not.countries`. Hours are `from`.',
    examples: [['countries', 'not.days']],
  }),
})
export type SimulatedStep = Static<typeof SimulatedStep>

/** The access of a code at the time of the visitor. */
export const SimulatedAccess = strictObject(
  {
    state: QrCodeState,
    asksPassword: Type.Boolean({ description: 'Whether the visitor must enter a password first.' }),
    answersLeft: nullable(Count('Answers that the limit leaves.'), {
      description: 'Answers that the limit leaves. Null: no limit.',
    }),
    closed: nullable(Closed, {
      description: 'What visitors get unless `state` is LIVE. Null: a page that says why.',
    }),
  },
  {
    description:
      'What stands before the content at the time of the visitor. Unless `state` is LIVE, the visitor gets `closed`; rule and data are what they would get otherwise.',
  },
)
export type SimulatedAccess = Static<typeof SimulatedAccess>

/** The answer that a visitor would get, and the reasons. */
export const SimulatedAnswer = strictObject({
  access: SimulatedAccess,
  ...answeringRule,
  data: OpenData,
  steps: Type.Array(SimulatedStep, {
    description: 'The rules that were judged, up to the one that answers. Rules out of use are left out.',
  }),
})
export type SimulatedAnswer = Static<typeof SimulatedAnswer>

/** The body that asks how past scans would have been divided. */
export const ReplayRules = strictObject({
  rules: RulesInput,
  startDate: Type.Optional(DateInput('First day in UTC, or time. Default: the last 30 days.')),
  endDate: Type.Optional(DateInput('Last day in UTC, inclusive, or time. Default: today.')),
})
export type ReplayRules = Static<typeof ReplayRules>

const share = { scans: Count('Scans.'), percentage: Percentage() }

/** How the scans of a period would have been divided, beside how they were. */
export const RulesReplay = strictObject({
  startDate: Timestamp('First instant of the period.'),
  endDate: Timestamp('Last instant of the period.'),
  scans: Count('Scans of the period.'),
  recorded: Type.Array(
    strictObject({
      ...answeringRule,
      ruleId: nullable(Type.String({ description: "Identifier. Null: the code's own data answered." })),
      index: nullable(Type.Integer({ minimum: 0 }), {
        description: 'Position in the list of this request. Null: the rule is not in it.',
      }),
      name: nullable(Type.String({ description: 'Name of the rule. Null: no rule, or one that is gone.' })),
      ...share,
    }),
    { description: 'What answered, most scans first.' },
  ),
  replayed: Type.Array(strictObject({ ...answeringRule, ...share }), {
    description: 'What these rules would have answered, in their order; the own data last.',
  }),
  changed: Count('Scans that would have had another answer than they had.'),
  undecided: strictObject(
    {
      scans: Count('Scans. They are not in `replayed`.'),
      conditions: Type.Array(Type.String(), { description: 'Names of these conditions.' }),
    },
    {
      description:
        'Scans that depend on a condition whose fact is not stored: `query`, `networks` and `visit`.',
    },
  ),
})
export type RulesReplay = Static<typeof RulesReplay>
