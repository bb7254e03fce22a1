import {
  claimNoticeMail,
  endNoticeMail,
  renewNoticeMail,
  type NoticeMail,
} from '../../catalogue/domains/notice-mails.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import { sendLastingMails, type LastingMails } from '../lasting-mails.ts'
import type { Chore } from '../start-jobs.ts'

/** Mails former owners of a host name about a notice, or its withdrawal. */
export type NoticeMailer = {
  /** Returns the addresses that are told for an organization. */
  addressesOf: (db: Database, organizationId: string) => Promise<readonly string[]>
  /** Resolves to false if the mail server did not accept the mail. */
  send: (db: Database, to: string, mail: NoticeMail) => Promise<boolean>
}

/** Sends the mails about notices. Any number of workers may do so. */
export function sendNoticeMails(mailer: NoticeMailer, log: Log): Chore {
  return {
    name: 'sendNoticeMails',
    everyMs: 10_000,
    run: async (db, nowMs) => {
      const mails: LastingMails<NoticeMail> = {
        claim: async (terms) => claimNoticeMail(db, terms),
        addressesOf: async ({ organizationId }) => mailer.addressesOf(db, organizationId),
        send: async (to, mail) => mailer.send(db, to, mail),
        renew: async (mail, state) => renewNoticeMail(db, mail, state),
        end: async (mail, state) => endNoticeMail(db, mail, state),
        onGivenUp: ({ hostname }, addresses) =>
          log.error({ hostname, mails: addresses }, 'mails about a notice were given up'),
      }
      await sendLastingMails(mails, nowMs)
    },
  }
}
