import { OrganizationParams } from '../../schema/common.ts'
import {
  ListSentMailsQuery,
  SentMailsPage,
  MailSwitchParams,
  SwitchMails,
  MailSwitch,
} from '../../views/sent-mails.ts'
import { endpoint } from '../endpoint.ts'

const tag = 'Organizations'
const collection = '/organizations/:orgId/installation/mails'

export const sentMails = {
  list: endpoint({
    id: 'listSentMails',
    call: 'organizations.sentMails',
    method: 'GET',
    path: collection,
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'List which mails the members of all organizations sent, by day, sender, kind and domain.',
    description:
      'For the operator of the installation; other organizations get 404. Counts are kept for 90 days, addresses of recipients not at all. What a mail server returns later is not known here: it goes to the address of MAIL_FROM.',
    params: OrganizationParams,
    query: ListSentMailsQuery,
    status: 200,
    response: SentMailsPage,
    errors: [404],
  }),

  update: endpoint({
    id: 'switchMails',
    call: 'organizations.switchMails',
    method: 'PUT',
    path: `${collection}/:id`,
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'Stop the mails of an organization at once, or allow them again.',
    description:
      'For the operator of the installation; other organizations get 404. Stopped are invitations, questions for consent and mails of views. Mails about accounts and about domains go on. Both audit logs say so, and the ADMINs of the organization see it.',
    params: MailSwitchParams,
    body: SwitchMails,
    status: 200,
    response: MailSwitch,
    errors: [404],
  }),
}
