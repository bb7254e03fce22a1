import { claimNoticeMail, recordNoticeMail, type NoticeMail } from '../../catalogue/domains/notice-mails.ts'
import type { Database } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import { mailLeaseMs, sendLastingMail } from '../lasting-mails.ts'
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
      for (;;) {
        const mail = await claimNoticeMail(db, { nowMs, leaseMs: mailLeaseMs })
        if (mail === undefined) return
        const { hostname, organizationId } = mail
        const givenUp = await sendLastingMail(mail, {
          addressesOf: async () => mailer.addressesOf(db, organizationId),
          send: async (to) => mailer.send(db, to, mail),
          record: async (state) => recordNoticeMail(db, mail, state),
          nowMs,
        })
        if (givenUp > 0) log.error({ hostname, mails: givenUp }, 'mails about a notice were given up')
      }
    },
  }
}
