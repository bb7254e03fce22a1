import type {
  accountLogWords as EnglishLog,
  accountWords as EnglishAccount,
  invitationWords as EnglishInvitation,
} from '../account-words.ts'

const timesOf = (times: number) => (times === 1 ? 'einmal' : `${times}-mal`)

/** German. */
export const invitationWords: typeof EnglishInvitation = {
  title: 'Ihre Einladung',
  join: (organization) => `${organization} beitreten`,
  invites: (who, organization) => `${who} lädt Sie ein, an den Codes von ${organization} mitzuarbeiten.`,
  email: 'Für',
  role: 'Als',
  roles: {
    ADMIN: 'Admin: alles, auch Mitglieder und Einstellungen',
    EDITOR: 'Bearbeiter: Codes erstellen und ändern',
    VIEWER: 'Betrachter: Codes und Statistik ansehen',
  },
  valid: 'Läuft ab',
  name: 'Ihr Name',
  newPassword: 'Passwort wählen',
  passwordHint: 'Das Passwort Ihres Kontos mit dieser Adresse.',
  submit: 'Annehmen und anmelden',
  gone: 'Diese Einladung wurde schon verwendet oder zurückgezogen, oder sie ist abgelaufen. Bitten Sie um eine neue.',
  welcome: (organization) => `Willkommen bei ${organization}`,
  done: (organization) => `Sie sind ${organization} beigetreten. Melden Sie sich an, um loszulegen.`,
}

export const accountWords: typeof EnglishAccount = {
  neededBy: (organizations) =>
    `Ohne sie lässt sich Folgendes nicht öffnen: ${organizations}. Sie können sie wieder einschalten, zum Beispiel mit einem anderen Telefon.`,
  title: 'Ihr Konto',
  profile: 'Profil',
  name: 'Name',
  email: 'E-Mail-Adresse',
  saved: 'Gespeichert',
  password: 'Passwort',
  current: 'Aktuelles Passwort',
  next: 'Neues Passwort',
  change: 'Passwort ändern',
  changed: 'Passwort geändert. Alle anderen Sitzungen sind beendet.',
  passkeysKept: 'Ihre Passkeys funktionieren weiter: Entfernen Sie alle, die Sie nicht kennen.',
  sessions: 'Sitzungen',
  sessionsText: 'Wo Sie angemeldet sind. Beenden Sie jede Sitzung, die Sie nicht kennen.',
  thisOne: 'Diese Sitzung',
  unknownProgram: 'Unbekannter Browser',
  lastUsed: (when) => `zuletzt verwendet ${when}`,
  end: 'Beenden',
  endOthers: 'Alle anderen Sitzungen beenden',
  twoFactor: 'Zwei-Faktor-Anmeldung',
  twoFactorText:
    'Bei der Anmeldung mit Passwort wird zusätzlich nach einem Code aus einer Authenticator-App gefragt.',
  twoFactorPasskeys:
    'Sie haben einen Passkey als zweiten Faktor. Eine App ist ein weiterer, falls Sie ihn verlieren.',
  on: 'Ein',
  off: 'Aus',
  turnOn: 'Einschalten',
  turnOff: 'Ausschalten',
  scan: 'Scannen Sie dies mit Ihrer Authenticator-App und geben Sie dann den Code ein, den sie anzeigt.',
  secret: 'Oder geben Sie diesen geheimen Schlüssel ein:',
  code: 'Code',
  confirm: 'Bestätigen',
  recovery: 'Wiederherstellungscodes',
  recoveryText:
    'Jeder Code ersetzt einmal Ihren Passkey oder Ihre Authenticator-App, falls Sie sie verlieren. Bewahren Sie die Codes woanders auf; sie werden nicht noch einmal angezeigt.',
  done: 'Fertig, ich habe sie gespeichert',
  renew: 'Neue Wiederherstellungscodes',
  renewText: 'Erstellt zehn neue Codes. Die alten gelten dann nicht mehr.',
}

export const accountLogWords: typeof EnglishLog = {
  title: 'Letzte Aktivitäten',
  text: 'Anmeldungen, Fehlversuche und Änderungen Ihres Kontos. Everscan speichert keine vollständigen Adressen: 203.0.113.0/24 ist ein Netz, das sich viele Menschen teilen können.',
  advice: 'Das waren nicht Sie? Ändern Sie Ihr Passwort. Damit enden alle anderen Sitzungen.',
  toPassword: 'Zum Passwort',
  none: 'Noch nichts. Anmeldungen und Änderungen Ihres Kontos erscheinen hier.',
  more: 'Mehr anzeigen',
  someProgram: 'einem unbekannten Browser',
  manyNetworks: 'vielen Netzen',
  operator: 'dem Betreiber dieses Dienstes',
  by: (name) => `von ${name}`,
  period: (first, last) => `${first} bis ${last}`,
  actions: {
    'sign-in.password': ({ program }) => `Angemeldet mit ${program}`,
    'sign-in.code': ({ program }) => `Angemeldet mit ${program} und einem Authenticator-Code`,
    'sign-in.recovery-code': ({ program }) => `Angemeldet mit ${program} und einem Wiederherstellungscode`,
    'sign-in.password-and-passkey': ({ program }) => `Angemeldet mit ${program}, mit Passwort und Passkey`,
    'sign-in.passkey': ({ program }) => `Angemeldet mit ${program}, mit einem Passkey`,
    'account.create': 'Konto erstellt',
    'account.take-over':
      'Konto über einen Link in einer E-Mail übernommen, nachdem die Adresse bestätigt wurde',
    'email.confirm': 'E-Mail-Adresse bestätigt',
    'password.change': 'Passwort geändert',
    'password-reset.create': 'Link für ein neues Passwort erstellt',
    'password-reset.use': 'Neues Passwort über einen Link festgelegt',
    'two-factor.on': 'Zwei-Faktor-Anmeldung eingeschaltet',
    'two-factor.off': 'Zwei-Faktor-Anmeldung ausgeschaltet',
    'recovery-codes.renew': 'Neue Wiederherstellungscodes erstellt',
    'recovery-code.use': 'Änderung mit einem Wiederherstellungscode bestätigt',
    'passkey.add': 'Passkey hinzugefügt',
    'passkey.remove': ({ times }) => (times === 1 ? 'Passkey entfernt' : `${times} Passkeys entfernt`),
    'session.end': 'Sitzung beendet',
    'session.end-others': 'Alle anderen Sitzungen beendet',
    'import.dry-run': 'Archiv für eine neue Organisation zur Probe gelesen',
    'sign-in.wrong-password': ({ times, from }) =>
      `${times === 1 ? '1 fehlgeschlagene Anmeldung' : `${times} fehlgeschlagene Anmeldungen`} aus ${from}`,
    'sign-in.wrong-code': ({ times, from }) =>
      `Richtiges Passwort, aber falscher Code, ${timesOf(times)} aus ${from}`,
    'sign-in.wrong-passkey': ({ times, from }) => `Passkey abgelehnt, ${timesOf(times)} aus ${from}`,
    'sign-in.password-and-wrong-passkey': ({ times, from }) =>
      `Richtiges Passwort, aber Passkey abgelehnt, ${timesOf(times)} aus ${from}`,
    'passkey.counter-refused': ({ from }) =>
      `Passkey abgelehnt, aus ${from}: Sein Zähler lief rückwärts, vielleicht hat ihn jemand kopiert. Entfernen Sie ihn, wenn Sie das nicht erklären können.`,
    'confirmation.wrong-password': ({ times, from }) =>
      `Falsches aktuelles Passwort, ${timesOf(times)} aus ${from}`,
    'confirmation.wrong-code': ({ times, from }) =>
      `Falscher Code zum Bestätigen einer Änderung, ${timesOf(times)} aus ${from}`,
    'confirmation.wrong-passkey': ({ times, from }) =>
      `Passkey beim Bestätigen einer Änderung abgelehnt, ${timesOf(times)} aus ${from}`,
    'password-reset.request': ({ from }) => `Link für ein neues Passwort angefordert, aus ${from}`,
  },
}
