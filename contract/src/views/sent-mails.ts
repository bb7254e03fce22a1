import { Type, type Static } from 'typebox'
import { Count, Id, IdInput, Timestamp, nullable, oneOf, strictObject } from '../schema/common.ts'
import { Page, pageParameters } from '../schema/pages.ts'

/**
 * Kinds of mails that members make the service send to others. `consent` asks an address
 * whether it wants the mails of views.
 */
export const mailKinds = ['invitation', 'consent', 'view'] as const
export type MailKind = (typeof mailKinds)[number]

/** Mails of one day, organization, sender, kind and domain of recipients. */
const SentMails = strictObject({
  day: Type.String({ description: 'The day, in UTC.', examples: ['2026-03-01'] }),
  organization: strictObject({
    id: Id('org'),
    name: nullable(Type.String({ description: 'Its name; null if it was deleted.' })),
    stoppedAt: nullable(Timestamp('Since when it sends no mails; null if it does.')),
  }),
  sender: nullable(
    strictObject({
      id: Type.String({ description: 'Identifier of the account or key.' }),
      name: nullable(
        Type.String({ description: 'E-mail address of the account, or name of the key; null if deleted.' }),
      ),
    }),
    { description: 'Who caused the mails; null if it is unknown, as for an older release.' },
  ),
  kind: oneOf(mailKinds, { description: 'What the mails were.' }),
  domain: Type.String({
    description: 'The domain of the recipients. Addresses are not kept.',
    examples: ['example.com'],
  }),
  mails: Count('Mails that were handed to the mail server, or tried to.'),
  refused: Count('Mails of these that the mail server did not take.'),
})

/** The query of the mails that organizations sent, newest day first. */
export const ListSentMailsQuery = strictObject({
  ...pageParameters,
  organizationId: Type.Optional(IdInput('Only mails of this organization.')),
})
export type ListSentMailsQuery = Static<typeof ListSentMailsQuery>

export const SentMailsPage = Page(SentMails)
export type SentMailsPage = Static<typeof SentMailsPage>

/** Path parameters of the switch of an organization's mails. */
export const MailSwitchParams = strictObject({
  orgId: IdInput("Identifier of the operator's organization."),
  id: IdInput('Identifier of the organization whose mails are stopped.'),
})

/** The body that stops the mails of an organization, or allows them again. */
export const SwitchMails = strictObject(
  { stopped: Type.Boolean({ description: 'Whether the organization sends no mails from now on.' }) },
  { examples: [{ stopped: true }] },
)
export type SwitchMails = Static<typeof SwitchMails>

/** The answer: since when the organization sends no mails. */
export const MailSwitch = strictObject({
  id: Id('org'),
  name: Type.String({ description: 'Name of the organization.' }),
  stoppedAt: nullable(Timestamp('Since when it sends no mails; null if it does.')),
})
export type MailSwitch = Static<typeof MailSwitch>
