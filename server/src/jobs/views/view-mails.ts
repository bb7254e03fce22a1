import type { ScanStore } from '../../analytics/scan-store.ts'
import { createMailer } from '../../product/mails/mailer.ts'
import { createMailToken, mailAnswerAddress } from '../../product/mails/mail-tokens.ts'
import { nextMailAtMs } from '../../product/views/mail-times.ts'
import { readViewFigures } from '../../product/views/view-figures.ts'
import { shareAddress, viewAddress } from '../../product/views/view-links.ts'
import { createViewBoxes } from '../../product/views/view-tools.ts'
import type { MailBudgets } from '../../catalogue/mails/mail-counts.ts'
import { openShareToken } from '../../catalogue/views/views.ts'
import type { Config } from '../../settings/settings.ts'
import type { Database } from '../../db/database.ts'
import { sendViewMails } from './send-view-mails.ts'
import type { Chore } from '../start-jobs.ts'
import type { Log } from '../../log.ts'

/** Wires the mails of views: figures as the API reads them, links as it writes them. */
export function createViewMailsChore(
  db: Database,
  {
    smtpUrl,
    mailFrom: from,
    secret = '',
    publicUrl,
    ...budgets
  }: Pick<Config, 'mailFrom' | 'secret' | 'publicUrl' | keyof MailBudgets> & {
    smtpUrl: string
  },
  { store, log, clock = Date.now }: { store: ScanStore; log: Log; clock?: () => number },
): Chore {
  const { linkBox, leaveBox, addressHash } = createViewBoxes(secret)
  const sendMail = createMailer({ smtpUrl, from, log })
  return sendViewMails({
    readFigures: async (view, nowMs) => readViewFigures({ db, store }, view, nowMs),
    send: ({ organizationId: holder, ...mail }) => sendMail({ ...mail, holder }),
    linksOf: (view, { address, nowMs }) => {
      const { organizationId, id, share } = view
      const isOpen = share !== null && (share.expiresAtMs === null || share.expiresAtMs > nowMs)
      const token = isOpen ? openShareToken(linkBox, view) : undefined
      const answerUrl = (kind: 'leave' | 'consent') =>
        mailAnswerAddress(publicUrl, createMailToken(leaveBox, { kind, organizationId, viewId: id, address }))
      return {
        url: token === undefined ? viewAddress(publicUrl, view) : shareAddress(publicUrl, token),
        isPublic: token !== undefined,
        leaveUrl: answerUrl('leave'),
        consentUrl: answerUrl('consent'),
      }
    },
    host: new URL(publicUrl).host,
    addressHash,
    budgets,
    nextAtMs: ({ mail, query }, nowMs) => nextMailAtMs(mail.every, query.timezone ?? 'UTC', nowMs),
    log,
    clock,
  })
}
