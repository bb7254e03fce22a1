import type { mailProblems as english } from '@everscan/contract/problems/mail-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** German. */
export const mailProblems = {
  mailRefusedTriedAgain:
    'Der Mailserver hat die E-Mail an {addresses} nicht angenommen. Es wird noch einmal versucht.',
  mailRefused: 'Der Mailserver hat die E-Mail an {addresses} nicht angenommen. Versuche: {attempts}.',
  figuresUnreadTriedAgain: 'Die Zahlen konnten nicht gelesen werden. Es wird noch einmal versucht.',
  figuresUnread: 'Die Zahlen konnten nicht gelesen werden. Versuche: {attempts}.',
  codeOfViewDeleted: 'Es wurde nichts gesendet: Der Code dieser Ansicht wurde gelöscht.',
  viewMailsUsedUp:
    'Adressen ohne diese E-Mail: {unsent} von {addresses}. Die Organisation hat heute {max} E-Mails von Ansichten gesendet, mehr sind nicht möglich.',
  mailsStopped:
    'Es wurde nichts gesendet: Der Betreiber dieser Installation hat die E-Mails Ihrer Organisation angehalten.',
  restWaitsForAccount:
    'Der Rest wartet bis morgen: Wer die E-Mail eingerichtet hat, hat die Höchstzahl an E-Mails je Tag erreicht.',
  restWaitsForInstallation:
    'Der Rest wartet bis morgen: Diese Installation hat ihre Höchstzahl an E-Mails je Tag erreicht.',
} as const satisfies ProblemWords<typeof english>
