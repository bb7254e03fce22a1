import { Type, type Static } from 'typebox'
import { Id, IdInput, Line, Timestamp, nullable, oneOf, newObject, strictObject } from '../schema/common.ts'
import { limits } from '../schema/limits.ts'
import { namedProblem } from '../schema/named-problems.ts'
import { Page } from '../schema/pages.ts'
import { patterns } from '../schema/patterns.ts'
import {
  AnalyticsDestination,
  Interval,
  OrganizationAnalytics,
  SelectionQuery,
  periodParameters,
  scanFilterParameters,
  selectionParameters,
} from '../resources/analytics.ts'
import { EmailAddress } from '../resources/users.ts'
import { viewPeriods } from './view-periods.ts'

/** How often a view is mailed. */
export const mailIntervals = ['week', 'month'] as const
export type MailInterval = (typeof mailIntervals)[number]

/** The figures that a view shows: parameters of analytics, by their names there. */
export const ViewQuery = strictObject(
  {
    period: Type.Optional(
      oneOf(viewPeriods, {
        description:
          'A period that moves on with time, instead of `startDate` and `endDate`. Default: last-30-days. `all` begins with the organization, or with the code.',
      }),
    ),
    ...periodParameters,
    interval: Type.Optional(
      Type.Unsafe<Interval>({
        ...Interval,
        description: `Grouping of the timeline; \`hour\` only for periods of at most ${limits.hourlyDaysMax} days. Default: what shows the period best.`,
        default: undefined,
      }),
    ),
    matrix: Type.Optional(
      Type.String({
        description: 'Two dimensions, as in analytics. Shared and mailed figures omit the matrix.',
        maxLength: 40,
        pattern: patterns.matrix,
      }),
    ),
    ...scanFilterParameters,
    ...selectionParameters,
    qrCodeId: Type.Optional(
      IdInput('Figures of this code alone, instead of `folderId`, `tag`, `type` and `ids`.'),
    ),
  },
  { description: 'The figures of the view: parameters of analytics.' },
)
export type ViewQuery = Static<typeof ViewQuery>

/** A public link to the figures of a view. */
const PublicLink = strictObject({
  token: nullable(
    Type.String({ description: 'The secret of the link; null for a VIEWER.', examples: ['mF_9…'] }),
  ),
  url: nullable(
    Type.String({
      description: 'The link. Anybody who has it can read the figures; null for a VIEWER.',
      examples: ['https://qr.example.com/app/share/mF_9…'],
    }),
  ),
  hasPassword: Type.Boolean({ description: 'Whether readers must enter a password.' }),
  expiresAt: nullable(Timestamp('When the link stops working; null if never.')),
  createdAt: Timestamp('When the link was created.'),
})

const MailEvery = oneOf(mailIntervals, {
  description:
    "`week`: on Mondays at 07:00; `month`: on the first day at 07:00, both in the view's time zone.",
})

/**
 * Whether an address gets the mails of an organization. MEMBER: it is that of a member, who
 * confirmed it. AGREED: its owner said yes. NOT_ASKED: the next due mail asks. ASKED: without an
 * answer. REFUSED: its owner wants no mails of this installation that others cause.
 */
export const recipientStates = ['MEMBER', 'AGREED', 'NOT_ASKED', 'ASKED', 'REFUSED'] as const
export type RecipientState = (typeof recipientStates)[number]

const ViewMail = strictObject({
  to: Type.Array(Type.String(), { description: 'The addresses that get the mail, each its own.' }),
  recipients: Type.Array(
    strictObject({
      address: Type.String({ description: 'The address.' }),
      state: oneOf(recipientStates, {
        description:
          'Mails go to confirmed members (MEMBER) and to owners of addresses who agreed (AGREED). Others are asked once (NOT_ASKED, ASKED), and get nothing else before they say yes. REFUSED: the owner wants no mails of this installation that others cause.',
      }),
    }),
    { description: 'The same addresses, and whether each gets the mail.' },
  ),
  every: MailEvery,
  setUpBy: Type.String({ description: 'The name of the person or key that set the mail up.' }),
  nextAt: Timestamp('When the next mail is due.'),
  lastSentAt: nullable(Timestamp('When a mail was last sent; null if never.')),
  lastError: nullable(
    Type.String({ description: 'Why the last mail did not reach every address; null if it did.' }),
  ),
  ...namedProblem,
})

/** A saved view of the figures of an organization (`/organizations/:orgId/views`). */
export const View = strictObject({
  id: Id('viw'),
  name: Type.String({ description: 'Display name, which readers of the link and the mail see.' }),
  query: ViewQuery,
  public: nullable(PublicLink, { description: 'The public link; null if the view is not shared.' }),
  mail: nullable(ViewMail, { description: 'The mail; null if none is sent.' }),
  createdAt: Timestamp('When the view was created.'),
  updatedAt: Timestamp('When the view was last changed.'),
})
export type View = Static<typeof View>

const Name = Line(limits.nameCharsMax, 'Display name, which readers of the link and the mail see.')

const SharePassword = Type.String({
  description: 'Password that readers must enter.',
  minLength: limits.sharePasswordCharsMin,
  maxLength: limits.passwordCharsMax,
})

const ExpiresAt = Type.String({
  description:
    'When the link stops working: a date (its end, in UTC), or a time with its offset. Absent or null: never.',
  maxLength: 40,
  pattern: patterns.expiry,
  examples: ['2027-12-31'],
})

const MailSettings = strictObject({
  to: Type.Array(EmailAddress, {
    description: 'The addresses. Each gets its own mail.',
    minItems: 1,
    maxItems: limits.viewMailsMax,
  }),
  every: MailEvery,
})

/** The body that creates a view. */
export const CreateView = newObject(
  {
    name: Name,
    query: Type.Optional(ViewQuery),
    public: Type.Optional(
      nullable(
        strictObject({
          password: Type.Optional(nullable(SharePassword)),
          expiresAt: Type.Optional(nullable(ExpiresAt)),
        }),
        { description: 'Shares the view by a public link; `{}` without password and end. Default: null.' },
      ),
    ),
    mail: Type.Optional(nullable(MailSettings, { description: 'Mails the view. Default: null.' })),
  },
  { examples: [{ name: 'Posters in spring', query: { period: 'last-month', timezone: 'Europe/Berlin' } }] },
)
export type CreateView = Static<typeof CreateView>

/** The body that updates a view: partial; `query` and `mail` are replaced as a whole. */
export const UpdateView = strictObject(
  {
    name: Type.Optional(Name),
    query: Type.Optional(ViewQuery),
    public: Type.Optional(
      nullable(
        strictObject({
          password: Type.Optional(nullable(SharePassword, { description: 'Null removes the password.' })),
          expiresAt: Type.Optional(nullable(ExpiresAt, { description: 'Null: never.' })),
          newLink: Type.Optional(
            Type.Boolean({ description: 'Replaces the link: the old one stops working.' }),
          ),
        }),
        {
          description:
            'Shares the view, or changes the given fields of its link. Null ends the link; a later one is another.',
        },
      ),
    ),
    mail: Type.Optional(nullable(MailSettings, { description: 'Null ends the mail.' })),
  },
  { examples: [{ public: { expiresAt: '2027-12-31' } }] },
)
export type UpdateView = Static<typeof UpdateView>

export const ViewPage = Page(View)
export type ViewPage = Static<typeof ViewPage>

/** Path parameters of a shared view. Any text is a token: an unknown one is a 404. */
export const SharedViewParams = strictObject({ token: IdInput('The secret of the public link.') })
export type SharedViewParams = Static<typeof SharedViewParams>

const {
  summary: { properties: summaryFields },
  topQrCodes,
  organizationId: _organizationId,
  matrix: _matrix,
  ...sharedFigures
} = OrganizationAnalytics.properties
const { qrCodeId: _qrCodeId, shortCode: _shortCode, ...sharedQrCode } = topQrCodes.items.properties
const { ruleId: _ruleId, ...sharedDestination } = AnalyticsDestination.properties

/**
 * The figures of a shared view. Their form is that of analytics, without identifiers and short
 * codes.
 */
export const SharedView = strictObject({
  name: Type.String({ description: 'Name of the view.' }),
  organization: strictObject({
    name: Type.String({ description: 'Public name of the organization, or else its name.' }),
    logo: nullable(Type.String({ description: 'Its logo as a data URI; null if it has none.' })),
  }),
  asOf: Timestamp('When the figures were counted.'),
  scope: strictObject(
    {
      qrCode: Type.Optional(Type.String({ description: 'Name of the code that the figures are of.' })),
      folder: Type.Optional(nullable(Type.String({ description: 'Name of the folder; null: unfiled.' }))),
      tags: Type.Optional(SelectionQuery.properties.tag),
      type: Type.Optional(SelectionQuery.properties.type),
      qrCodes: Type.Optional(Type.Integer({ description: 'The number of chosen codes.', minimum: 0 })),
      filters: strictObject({
        ...scanFilterParameters,
        rule: Type.Optional(
          Type.Array(Type.String(), {
            description: "Names of rules; `none` for the code's own data. `!` before a name excludes it.",
          }),
        ),
      }),
    },
    { description: 'The codes and scans that the figures count; without filters, all scans.' },
  ),
  days: strictObject({
    startDate: Type.String({ description: 'First day of the period, in the time zone.' }),
    endDate: Type.String({ description: 'Last day of the period.' }),
  }),
  timezone: Type.String({ description: 'IANA time zone of the days.' }),
  interval: Interval,
  ...sharedFigures,
  summary: strictObject({
    ...summaryFields,
    totalQrCodes: Type.Optional(summaryFields.totalQrCodes),
    activeQrCodes: Type.Optional(summaryFields.activeQrCodes),
  }),
  topQrCodes: Type.Optional(Type.Array(strictObject(sharedQrCode), { maxItems: limits.topQrCodes })),
  destinations: Type.Optional(
    Type.Array(strictObject(sharedDestination), {
      description: 'Scans of a code by rule, if rules answered any of them.',
    }),
  ),
})
export type SharedView = Static<typeof SharedView>

/** The body that opens a shared view with a password. */
export const UnlockSharedView = strictObject(
  { password: Type.String({ maxLength: limits.passwordCharsMax }) },
  { examples: [{ password: 'figures of spring' }] },
)
export type UnlockSharedView = Static<typeof UnlockSharedView>

/** The answer to a right password. The cookie of the answer opens the view. */
export const UnlockedSharedView = strictObject({
  expiresAt: Timestamp('Until when the view stays open in this browser.'),
})
export type UnlockedSharedView = Static<typeof UnlockedSharedView>

/** The body that takes an address off the list of a mail, with the token of its link. */
export const LeaveViewMail = strictObject(
  { token: Type.String({ minLength: 1, maxLength: 1_000, pattern: patterns.id }) },
  { examples: [{ token: 'v1.kq3…' }] },
)
export type LeaveViewMail = Static<typeof LeaveViewMail>

/** The answer: the mail of this view no longer goes to the address. */
export const LeftViewMail = strictObject({ left: Type.Literal(true, { type: 'boolean' }) })
export type LeftViewMail = Static<typeof LeftViewMail>
