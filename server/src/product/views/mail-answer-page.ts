import type { DashboardLanguage } from '@everscan/contract/schema/dashboard-languages.ts'
import type { RecipientState } from '@everscan/contract/views/views.ts'
import { html } from '@everscan/pages/html.ts'
import { icon } from '@everscan/pages/icons.ts'
import { createPage, type Page } from '@everscan/pages/page.ts'
import { mailWords } from '../mails/mail-words.ts'
import { plainName } from '../mails/plain-names.ts'
import type { MailToken } from '../mails/mail-tokens.ts'

/** An answer that a button of the page sends. */
export type MailAnswer = 'yes' | 'stop' | 'never' | 'allow'

export type AnsweredMail = Pick<MailToken, 'kind' | 'address'> & {
  organization: string
  state: RecipientState
  /** Whether the mail of figures still goes to the address. */
  isOnList: boolean
  host: string
}

type Shown = {
  title: string
  texts: readonly string[]
  buttons: readonly (readonly [answer: MailAnswer, name: string])[]
  /** The page only says what holds: no button is the one to press. */
  isSettled?: true
}

/**
 * Renders the page on which the owner of an address answers a mail: what holds now, and what can be
 * chosen. It needs no script, and opening it changes nothing.
 */
export function mailAnswerPage(mail: AnsweredMail | undefined, language: DashboardLanguage): Page {
  const words = mailWords[language].leavePage
  const shown: Shown =
    mail === undefined
      ? { title: words.unknown, texts: [words.unknownText], buttons: [] }
      : shownOf(mail, language)
  const { title, texts, buttons, isSettled } = shown
  const main = html`<div class="badge">${icon('mail')}</div>
    <h1>${title}</h1>
    ${texts.map((text) => html`<p class="muted">${text}</p>`)}
    ${
      buttons.length > 0 &&
      html`<form method="post">
        ${buttons.map(
          ([answer, name], at) =>
            html`<button
              class="${at === 0 && isSettled !== true ? 'action' : 'action plain'}"
              name="answer"
              value="${answer}"
            >
              ${name}
            </button>`,
        )}
      </form>`
    }`
  const status = mail === undefined ? 404 : 200
  return createPage({ status, language, title, main, layout: 'middle', hasForm: true })
}

function shownOf(mail: AnsweredMail, language: DashboardLanguage): Shown {
  const { kind, address, state, isOnList, host } = mail
  const { consentPage, leavePage } = mailWords[language]
  const organization = plainName(mail.organization)
  if (state === 'REFUSED') {
    const again =
      kind === 'consent' ? (['yes', consentPage.yes] as const) : (['allow', leavePage.allow] as const)
    const texts = [leavePage.refusedText(host)]
    return { title: leavePage.refused, texts, buttons: [again], isSettled: true }
  }
  const never = ['never', leavePage.stopAll(host)] as const
  if (kind === 'consent')
    return state === 'AGREED'
      ? { title: consentPage.agreed, texts: [consentPage.agreedText], buttons: [never], isSettled: true }
      : {
          title: consentPage.title,
          texts: [consentPage.text(organization, address), consentPage.never(host)],
          buttons: [
            ['yes', consentPage.yes],
            ['never', consentPage.no],
          ],
        }
  if (kind === 'invitation')
    return {
      title: leavePage.title,
      texts: [leavePage.invited(address), leavePage.stopAllText(host)],
      buttons: [never],
    }
  return isOnList
    ? {
        title: leavePage.title,
        texts: [leavePage.text(organization, address), leavePage.stopAllText(host)],
        buttons: [['stop', leavePage.stop], never],
      }
    : { title: leavePage.stopped, texts: [leavePage.stoppedText], buttons: [never], isSettled: true }
}
