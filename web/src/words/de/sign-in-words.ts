import type {
  confirmationWords as EnglishConfirmation,
  emailConfirmationWords as EnglishEmailConfirmation,
  endedSessionWords as EnglishEndedSession,
  newPasswordWords as EnglishNewPassword,
  secondFactorWords as EnglishSecondFactor,
  signInWords as EnglishSignIn,
  signUpWords as EnglishSignUp,
} from '../sign-in-words.ts'

/** German. */
export const signInWords: typeof EnglishSignIn = {
  title: 'Anmelden',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  submit: 'Anmelden',
  forgotten: 'Passwort vergessen?',
  forgottenHelp:
    'Geben Sie oben Ihre Adresse ein, um einen Link per E-Mail zu erhalten, oder bitten Sie einen Admin Ihrer Organisation um einen (Einstellungen, Mitglieder).',
  forgottenNoMails:
    'Bitten Sie einen Admin Ihrer Organisation um einen Passwort-Link (Einstellungen, Mitglieder).',
  askForLink: 'Link per E-Mail senden',
  asked: 'Wenn es ein Konto mit dieser Adresse gibt, ist ein Link unterwegs.',
}

export const endedSessionWords: typeof EnglishEndedSession = {
  title: 'Ihre Sitzung ist abgelaufen',
  text: 'Melden Sie sich wieder an, um da weiterzumachen, wo Sie waren. Was Sie eingegeben haben, ist noch da.',
  notNow: 'Nicht jetzt',
  left: 'Sie sind abgemeldet. Sie können weiterlesen, aber nichts wird gespeichert.',
  notSaved:
    'Nicht gespeichert, weil Ihre Sitzung abgelaufen ist. Melden Sie sich wieder an und speichern Sie noch einmal.',
  notRead: 'Ihre Sitzung ist abgelaufen. Melden Sie sich an, um das zu sehen.',
  otherTitle: 'Sie sind mit einem anderen Konto angemeldet',
  otherText: (mine, other = 'ein anderes Konto') =>
    `Dieser Browser ist jetzt angemeldet als: ${other}. Was Sie hier als ${mine} eingegeben haben, wurde nicht gesendet.`,
  otherHint: (mine) =>
    `Melden Sie sich wieder als ${mine} an, um es zu speichern. Oder machen Sie ohne weiter: Dann lädt diese Seite neu.`,
  signInAs: (email) => `Als ${email} anmelden`,
  goOnAs: (email = 'anderes Konto') => `Weiter als ${email}`,
}

export const confirmationWords: typeof EnglishConfirmation = {
  title: 'Bestätigen Sie, dass Sie es sind',
  text: 'Sie ändern gleich, wie Sie sich anmelden. Bestätigen Sie das mit Ihrem zweiten Faktor; zehn Minuten lang fragen wir dann nicht noch einmal.',
  submit: 'Bestätigen',
  cancelled: 'Nichts wurde geändert, weil Sie es nicht bestätigt haben.',
}

export const newPasswordWords: typeof EnglishNewPassword = {
  title: 'Neues Passwort wählen',
  password: 'Neues Passwort',
  hint: 'Mindestens 10 Zeichen. Ein Satz lässt sich leicht merken.',
  submit: 'Passwort festlegen',
  done: 'Ihr Passwort ist festgelegt. Melden Sie sich damit an.',
  noToken: 'Dieser Link ist unvollständig. Öffnen Sie ihn genau so, wie Sie ihn erhalten haben.',
}

export const signUpWords: typeof EnglishSignUp = {
  title: 'Konto anlegen',
  offer: 'Neu hier?',
  link: 'Konto anlegen',
  name: 'Ihr Name',
  email: 'E-Mail-Adresse',
  organizationName: 'Name Ihrer Organisation',
  organizationHint: 'Ihre Firma, Ihr Restaurant oder Verein. Sie können ihn später ändern.',
  submit: 'Konto anlegen',
  mailed:
    'Sehen Sie in Ihren E-Mails nach: Wir haben Ihnen einen Link gesendet. Öffnen Sie ihn, um Ihr Passwort zu wählen.',
  done: 'Ihr Konto ist bereit. Melden Sie sich an, um loszulegen.',
  haveAccount: 'Sie haben schon ein Konto?',
  off: 'Hier kann man sich nicht selbst registrieren. Bitten Sie einen Admin um eine Einladung.',
  confirmTitle: 'Bestätigen Sie Ihre E-Mail-Adresse',
  confirmText: 'Noch ein Schritt: Wählen Sie das Passwort Ihres Kontos.',
  confirm: 'Bestätigen',
  confirmed: 'Ihre Adresse ist bestätigt und Ihr Konto bereit. Melden Sie sich an, um loszulegen.',
}

export const emailConfirmationWords: typeof EnglishEmailConfirmation = {
  confirmed: 'Bestätigt',
  notConfirmed: 'Nicht bestätigt',
  why: 'Zeigen Sie, dass diese Adresse Ihnen gehört. Bis dahin kann jeder, der die E-Mails an diese Adresse liest, Ihr Konto übernehmen, sogar mit Zwei-Faktor-Anmeldung.',
  send: 'Link per E-Mail senden',
  sendAgain: 'Noch einen Link senden',
  sent: (email) => `Ein Link an ${email} ist unterwegs. Öffnen Sie ihn in diesem Browser.`,
  title: 'Bestätigen Sie Ihre E-Mail-Adresse',
  text: 'Sie sind angemeldet als',
  submit: 'Bestätigen',
  done: 'Ihre E-Mail-Adresse ist bestätigt.',
  next: 'Zu Ihren Codes',
}

export const secondFactorWords: typeof EnglishSecondFactor = {
  intro: 'Noch ein Schritt zur Anmeldung als',
  usePasskey: 'Passkey verwenden',
  noPasskeys: 'Ihre Passkeys funktionieren in diesem Browser oder unter dieser Adresse nicht.',
  code: 'Authenticator-Code',
  codeHint: 'Die sechs Ziffern, die Ihre Authenticator-App jetzt anzeigt.',
  recoveryCode: 'Wiederherstellungscode',
  recoveryCodeHint: 'Einer der Codes, die Sie gespeichert haben. Jeder gilt einmal.',
  instead: {
    passkey: 'Stattdessen einen Passkey verwenden',
    code: 'Stattdessen einen Authenticator-Code verwenden',
    recoveryCode: 'Stattdessen einen Wiederherstellungscode verwenden',
  },
  back: 'Zurück',
}
