import type { accessProblems as english } from '@everscan/contract/problems/access-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** German. */
export const accessProblems = {
  apiKeyNotValid: 'Der API-Schlüssel fehlt oder ist ungültig. Senden Sie ihn in der Kopfzeile X-API-Key.',
  bearerNotValid:
    'Der API-Schlüssel fehlt oder ist ungültig. Senden Sie ihn als „Authorization: Bearer KEY“ oder in der Kopfzeile X-API-Key.',
  apiKeyRevoked: 'Dieser API-Schlüssel wurde widerrufen. Verwenden Sie einen anderen.',
  apiKeyExpired: 'Dieser API-Schlüssel ist abgelaufen. Verwenden Sie einen anderen.',
  apiKeyFromElsewhere: 'Dieser API-Schlüssel wird von Ihrer Adresse {address} nicht angenommen.',
  apiKeysDiffer: 'Authorization und X-API-Key haben verschiedene Schlüssel. Senden Sie nur einen davon.',
  apiKeyWithSession: 'Senden Sie entweder einen API-Schlüssel oder das Cookie einer Sitzung, nicht beides.',
  apiKeyOfOtherOrganization: 'Dieser API-Schlüssel gehört nicht zu der Organisation im Pfad.',
  apiKeyOfOtherTarget: 'Dieser API-Schlüssel gehört nicht zu der Organisation, die organizationId nennt.',
  targetMissing: 'Das ist mit einem API-Schlüssel erforderlich: Er füllt seine eigene Organisation.',
  apiKeyRoleTooLow: ({ needed, role }) =>
    `Dafür ist die Rolle ${roleName(needed)} nötig; der API-Schlüssel hat ${roleName(role)}.`,
  userRequired: 'Das geht nicht mit einem API-Schlüssel: Dafür muss sich ein Mensch anmelden.',

  notSignedIn: 'Sie sind nicht angemeldet. Melden Sie sich zuerst an.',
  sessionUnknown: 'Die Sitzung ist unbekannt oder beendet. Melden Sie sich erneut an.',
  sessionEnded: 'Ihre Sitzung ist beendet.',
  accountGone: 'Dieses Konto gibt es nicht mehr.',
  notMember: 'Sie sind nicht Mitglied dieser Organisation.',
  notMemberOfTarget: 'Sie sind nicht Mitglied der Organisation, die organizationId nennt.',
  noSuchMembership: 'Sie sind nicht Mitglied einer Organisation mit dieser Kennung.',
  roleTooLow: ({ needed, role }) =>
    `Dafür ist die Rolle ${roleName(needed)} nötig; Sie haben ${roleName(role)}.`,
  twoFactorOfOrganization:
    'Diese Organisation verlangt die Zwei-Faktor-Anmeldung. Schalten Sie sie zuerst für Ihr Konto ein.',
  twoFactorOfOwnFirst:
    'Schalten Sie die Zwei-Faktor-Anmeldung zuerst für Ihr eigenes Konto ein: Ohne sie kämen Sie nicht mehr in diese Organisation.',
  changeFromOtherSite: 'Eine Änderung mit einer Sitzung muss von einer Seite dieser Website kommen.',
  pageOfOtherSite: 'Seiten anderer Websites können diesen Endpunkt nicht verwenden.',
  noSuchSession: 'Ihr Konto hat keine Sitzung mit dieser Kennung.',

  emailOrPasswordWrong: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  codeWrong: 'Der Code ist falsch oder wurde schon verwendet.',
  codeFieldWrong: 'Der Code ist falsch oder wurde schon verwendet.',
  passkeyNotChecked:
    'Der Passkey ließ sich nicht prüfen, oder es hat zu lange gedauert. Versuchen Sie es erneut.',
  passkeyFieldNotChecked: 'Der Passkey ließ sich nicht prüfen.',
  passkeyUnknown:
    'Dieser Passkey ist hier unbekannt oder ließ sich nicht prüfen. Versuchen Sie es erneut, oder melden Sie sich mit Ihrem Passwort an.',
  passkeyTooLate:
    'Der Passkey ließ sich nicht prüfen, oder es hat länger als {minutes} Minuten gedauert. Versuchen Sie es erneut.',
  passkeyKnown: 'Dieser Passkey wurde schon hinzugefügt.',
  tooManyPasskeys: 'Ein Konto hat höchstens {max} Passkeys. Entfernen Sie zuerst einen.',
  noSuchPasskey: 'Ihr Konto hat keinen Passkey mit dieser Kennung.',
  authenticatorOn: 'Die Zwei-Faktor-Anmeldung mit einer Authenticator-App ist schon eingeschaltet.',
  authenticatorOff: 'Die Zwei-Faktor-Anmeldung mit einer Authenticator-App ist ausgeschaltet.',
  noSecondFactor: 'Ihr Konto hat keinen zweiten Faktor.',
  confirmationRequired: 'Dafür ist ein zweiter Faktor nötig: Bestätigen Sie zuerst Ihre Sitzung.',

  passwordWrong: 'Das Passwort ist falsch.',
  currentPasswordWrong: 'Das ist nicht das Passwort dieses Kontos.',
  passwordComesLater: 'Das Passwort wird erst über den Link gewählt, der per E-Mail kommt.',
  ownPasswordOfMember: 'Ändern Sie Ihr eigenes Passwort in Ihrem Konto, mit dem bisherigen.',
  passwordOfMemberRefused:
    'Sie können das Passwort dieses Mitglieds nicht zurücksetzen; das kann nur der Betreiber.',
  resetTokenUnknown: 'Dieser Link ist unbekannt, verwendet oder abgelaufen. Fordern Sie einen neuen an.',
  signUpTokenUnknown: 'Dieser Link ist unbekannt oder abgelaufen. Registrieren Sie sich noch einmal.',
  invitationTokenUnknown:
    'Dieser Link ist unbekannt, verwendet oder abgelaufen. Bitten Sie um eine neue Einladung.',
  confirmationLinkUnknown:
    'Dieser Link ist abgelaufen oder gehört zu einem anderen Konto. Fordern Sie in Ihrem Konto einen neuen an.',
  emailConfirmedBefore: 'Ihre E-Mail-Adresse ist schon bestätigt.',
  signUpRefused:
    'Mit dieser E-Mail-Adresse kann sich bei dieser Installation niemand registrieren. Bitten Sie um eine Einladung.',
  viewLocked: 'Diese Ansicht hat ein Passwort. Geben Sie es zuerst ein.',
  viewLinkUnknown: 'Dieser Link ist unbekannt oder beendet. Bitten Sie um einen neuen.',
  mailLinkIncomplete: 'Dieser Link ist unvollständig. Öffnen Sie noch einmal den in der E-Mail.',

  noMails: 'Diese Installation sendet keine E-Mails.',
  mailsNotSetUp: 'Diese Installation sendet keine E-Mails. Ihr Betreiber kann SMTP_URL setzen.',
  viewWithoutMail: 'Die Ansicht hat keine E-Mail. Richten Sie zuerst eine ein.',
  signUpMailsUsedUp:
    'Diese Installation hat die Höchstzahl an Registrierungen per E-Mail je Tag erreicht. Registrieren Sie sich morgen.',
  accountMailsUsedUp:
    'Sie haben die Höchstzahl an E-Mails je Tag erreicht. Laden Sie diese Person morgen ein.',
  installationMailsUsedUp:
    'Diese Installation hat die Höchstzahl an E-Mails je Tag erreicht. Laden Sie diese Person morgen ein.',

  apiKeyTooFast:
    'Dieser API-Schlüssel darf höchstens {max} Anfragen je Minute senden. Versuchen Sie es in {seconds} s erneut.',
  accountTooFast:
    'Ihr Konto darf höchstens {max} Anfragen je Minute senden. Versuchen Sie es in {seconds} s erneut.',
  networkTooFast:
    'Ihr Netz darf höchstens {max} Anfragen je Minute senden. Versuchen Sie es in {seconds} s erneut.',
  viewTooFast: 'Gerade lesen zu viele diese Ansicht. Versuchen Sie es gleich noch einmal.',
  tooManyAnswers: 'Zu viele Antworten. Versuchen Sie es gleich noch einmal.',
} as const satisfies ProblemWords<typeof english>

const roleNames: Readonly<Record<string, string>> = {
  ADMIN: 'Admin',
  EDITOR: 'Bearbeiter',
  VIEWER: 'Betrachter',
}
const roleName = (role: string | number) => roleNames[role] ?? String(role)
