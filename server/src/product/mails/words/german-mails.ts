import { germanTerms } from '@everscan/contract/words/german-terms.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { amountsOf, pluralsOf } from '../mail-amounts.ts'
import type { englishMails } from './english-mails.ts'

const { days, hours } = amountsOf('de')
const plural = pluralsOf('de')

/** German. */
export const germanMails: typeof englishMails = {
  invitation: {
    subject: (host) => `Einladung zu ${host}`,
    invites: (by, organization) => `${by} lädt Sie zur Organisation „${organization}“ bei Everscan ein.`,
    invitesTo: (organization) => `Sie sind zur Organisation „${organization}“ bei Everscan eingeladen.`,
    accept: `Nehmen Sie die Einladung hier an. Der Link gilt ${days(limits.invitationDays)}:`,
    ignore: 'Wenn Sie diese Einladung nicht erwarten, ignorieren Sie diese E-Mail.',
    never: (host) =>
      `Wenn Sie keine solchen E-Mails von ${host} mehr wollen, wer auch immer sie veranlasst, sagen Sie es hier:`,
  },
  passwordReset: {
    subject: 'Ihr Passwort bei Everscan',
    requested: 'Jemand, vermutlich Sie, hat ein neues Passwort für Ihr Everscan-Konto angefordert.',
    choose: `Wählen Sie es hier. Der Link gilt ${hours(limits.passwordResetHours)}:`,
    unconfirmed:
      'Ihre E-Mail-Adresse ist noch nicht bestätigt. Dieser Link bestätigt sie und entfernt Authenticator-Apps und Passkeys, falls jemand anderes sie hinzugefügt hat.',
    ignore: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Ihr Passwort bleibt unverändert.',
  },
  signUp: {
    subject: 'Ihr Everscan-Konto',
    requested: 'Jemand, vermutlich Sie, hat ein Everscan-Konto für diese E-Mail-Adresse angefordert.',
    confirm: `Bestätigen Sie die Adresse hier und wählen Sie ein Passwort. Der Link gilt ${hours(limits.signUpHours)}:`,
    ignore: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Es wird kein Konto angelegt.',
  },
  accountExists: {
    requested:
      'Jemand, vermutlich Sie, hat ein Everscan-Konto für diese E-Mail-Adresse angefordert. Zu ihr gibt es schon eines.',
    signIn:
      'Melden Sie sich hier an. Wenn Sie Ihr Passwort vergessen haben, können Sie es dort auch ersetzen:',
  },
  takeOver: {
    requested:
      'Jemand, vermutlich Sie, hat ein Everscan-Konto für diese E-Mail-Adresse angefordert. Zu ihr gibt es schon eines, aber niemand hat bestätigt, dass die Adresse ihm gehört.',
    signIn:
      'Wenn Sie dieses Konto verwenden, melden Sie sich an und bestätigen Sie Ihre Adresse auf der Seite Ihres Kontos:',
    takeOver: `Wenn Sie dieses Konto nicht kennen, übernehmen Sie es hier. Name und Passwort werden ersetzt, alle, die es verwenden, werden abgemeldet, und Authenticator-Apps und Passkeys werden entfernt. Der Link gilt ${hours(limits.signUpHours)}:`,
    ignore: 'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail: Es ändert sich nichts.',
  },
  emailConfirmation: {
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    requested: 'Jemand, vermutlich Sie, ist bei einem Everscan-Konto mit dieser E-Mail-Adresse angemeldet.',
    confirm: `Bestätigen Sie, dass die Adresse Ihnen gehört, in einem Browser, der bei diesem Konto angemeldet ist. Der Link gilt ${hours(limits.emailConfirmationHours)}:`,
    ignore:
      'Wenn Sie das nicht waren, bestätigen Sie nichts. Sie können das Konto mit einem neuen Passwort übernehmen: Wählen Sie bei der Anmeldung „Passwort vergessen?“.',
  },
  account: {
    subject: 'Sicherheit Ihres Everscan-Kontos',
    changes: {
      'account.take-over':
        'Ihr Everscan-Konto wurde übernommen, über einen Link, der Ihnen per E-Mail gesendet wurde.',
      'password.change': 'Das Passwort Ihres Everscan-Kontos wurde geändert.',
      'password-reset.use': 'Das Passwort Ihres Everscan-Kontos wurde über einen Link ersetzt.',
      'two-factor.on': 'Die Zwei-Faktor-Anmeldung Ihres Everscan-Kontos wurde eingeschaltet.',
      'two-factor.off': 'Die Zwei-Faktor-Anmeldung Ihres Everscan-Kontos wurde ausgeschaltet.',
      'recovery-codes.renew': 'Die Wiederherstellungscodes Ihres Everscan-Kontos wurden ersetzt.',
      'passkey.add': 'Zu Ihrem Everscan-Konto wurde ein Passkey hinzugefügt.',
      'passkey.remove': 'Von Ihrem Everscan-Konto wurde ein Passkey entfernt.',
      'recovery-code.use':
        'Eine Änderung Ihres Everscan-Kontos wurde mit einem Wiederherstellungscode bestätigt.',
      'sign-in.recovery-code':
        'Jemand hat sich mit einem Wiederherstellungscode bei Ihrem Everscan-Konto angemeldet.',
    },
    happened: (at) => `Das geschah am ${at} (UTC).`,
    happenedFrom: (at, network) => `Das geschah am ${at} (UTC), aus dem Netz ${network}.`,
    ignore: 'Wenn Sie das waren, ignorieren Sie diese E-Mail.',
    act: 'Wenn Sie das nicht waren, legen Sie jetzt ein neues Passwort fest („Passwort vergessen?“). Damit enden alle Sitzungen. Sehen Sie dann in Ihrem Konto unter „Letzte Aktivitäten“ nach, und entfernen Sie Passkeys, die Sie nicht kennen:',
  },
  consent: {
    subject: (host) => `Eine Frage von ${host}`,
    asks: (by, organization, host) =>
      `${by} möchte Ihnen E-Mails mit Zahlen zu QR-Codes senden, für die Organisation „${organization}“ auf ${host}.`,
    asksForOrganization: (organization, host) =>
      `Die Organisation „${organization}“ auf ${host} möchte Ihnen E-Mails mit Zahlen zu QR-Codes senden.`,
    answer: 'Sie erhalten keine, solange Sie nicht zustimmen. Hier können Sie Ja oder Nein sagen:',
    ignore: 'Wenn Sie nichts tun, erhalten Sie keine solchen E-Mails.',
  },
  consentPage: {
    title: 'Möchten Sie diese E-Mails?',
    text: (organization, address) =>
      `Die Organisation „${organization}“ möchte E-Mails mit Zahlen zu QR-Codes an ${address} senden.`,
    yes: 'Ja, bitte senden',
    no: 'Nein, und nie wieder fragen',
    never: (host) =>
      `Bei Nein kann niemand mehr Zahlen, Fragen oder Einladungen von ${host} an diese Adresse senden.`,
    agreed: 'Sie erhalten diese E-Mails',
    agreedText: 'Jede enthält einen Link, mit dem Sie sie abbestellen.',
  },
  leavePage: {
    title: 'Diese E-Mails abbestellen?',
    text: (organization, address) =>
      `Die Organisation „${organization}“ sendet E-Mails mit Zahlen zu QR-Codes an ${address}.`,
    invited: (address) => `Andere können ${address} per E-Mail einladen.`,
    stop: 'Diese E-Mail abbestellen',
    stopAll: (host) => `Alle E-Mails von ${host} abbestellen`,
    stopAllText: (host) =>
      `Wenn Sie alle abbestellen, kann niemand Zahlen, Fragen oder Einladungen von ${host} an diese Adresse senden. E-Mails zu Ihrem eigenen Konto kommen weiterhin.`,
    stopped: 'Diese E-Mail ist abbestellt',
    stoppedText: 'Andere E-Mails der Organisation können weiterhin kommen.',
    refused: 'Keine solchen E-Mails mehr',
    refusedText: (host) =>
      `Niemand kann Zahlen, Fragen oder Einladungen von ${host} an diese Adresse senden.`,
    allow: 'Solche E-Mails wieder erlauben',
    unknown: 'Dieser Link ist unvollständig',
    unknownText: 'Öffnen Sie den Link in der E-Mail noch einmal.',
  },
  proof: {
    subject: (hostname) => `Der Nachweis für ${hostname} fehlt`,
    missing: (hostname) => `Der Nachweis für Ihre Domain ${hostname} fehlt seit mehr als 7 Tagen.`,
    risk: 'Gedruckte Codes funktionieren weiter. Aber eine andere Organisation dieser Installation kann die Domain übernehmen, und neue Codes mit dieser Domain gehören dann ihr.',
    act: 'Legen Sie den TXT-Eintrag wieder an, der hier angezeigt wird:',
  },
  certificate: {
    subject: (hostname, day) => `Das Zertifikat für ${hostname} läuft am ${day} ab`,
    ends: (hostname, day) =>
      `Das Zertifikat für https Ihrer Domain ${hostname} läuft am ${day} (UTC) ab und konnte nicht erneuert werden:`,
    next: 'Es wird jeden Tag noch einmal versucht. Ist das Zertifikat abgelaufen, warnen Browser alle, die Ihre gedruckten Codes über https öffnen. Welche Einträge die Domain hat, sehen Sie hier:',
  },
  notice: {
    subject: (hostname, day) => `Ihre Codes auf ${hostname} enden am ${day}`,
    given: (hostname) =>
      `${hostname}, früher eine Domain Ihrer Organisation, gehört jetzt einer anderen Organisation dieser Installation. Diese hat Ihre Codes gekündigt.`,
    until: (day) =>
      `Bis zum ${day} (UTC) funktionieren Ihre gedruckten Codes mit dieser Domain weiter, lassen sich aber nur noch archivieren oder löschen. Danach zeigen Scans, dass der Code beendet ist.`,
    act: 'Drucken Sie die Codes, die Sie noch brauchen, vorher mit einer anderen Adresse. Ist die Kündigung ein Versehen, sprechen Sie mit dem heutigen Inhaber des Namens oder weisen Sie die Domain wieder nach. Ihre Seite:',
    offSubject: (hostname) => `Die Kündigung für ${hostname} wurde zurückgenommen`,
    off: (hostname) =>
      `Die Organisation, der ${hostname} jetzt gehört, hat ihre Kündigung zurückgenommen. Ihre gedruckten Codes mit dieser Domain funktionieren weiter, und Sie können sie wieder ändern. Die Seite der Domain:`,
  },
  view: {
    line: (title, value) => `${title}: ${value}`,
    scanCount: (count, written) => plural(count, `${written} Scan`, `${written} Scans`),
    scans: 'Scans',
    uniqueScans: 'Eindeutige Scans',
    scansPerDay: 'Scans pro Tag',
    nothing: 'Keine Scans in diesem Zeitraum.',
    timeline: 'Scans im Zeitverlauf',
    topQrCodes: 'Meistgescannte Codes',
    destinations: 'Ziele',
    lists: germanTerms.lists,
    unknown: 'Unbekannt',
    noRule: 'Keine Regel',
    unknownRule: 'Unbekannte Regel',
    noReferrer: 'Kamera oder eingetippt',
    none: 'keine',
    devices: { mobile: 'Telefon', desktop: 'Computer', tablet: 'Tablet' },
    scope: {
      qrCode: 'Code',
      folder: 'Ordner',
      unfiled: 'Codes ohne Ordner',
      deletedFolder: 'Ein gelöschter Ordner',
      tags: 'Schlagwörter',
      type: 'Typ',
      qrCodes: 'Ausgewählte Codes',
      not: (value) => `nicht ${value}`,
      filters: germanTerms.dimensions,
      types: germanTerms.types,
    },
    open: 'Diese Statistik öffnen',
    openHere: 'Diese Statistik öffnen:',
    openSignedIn: 'Diese Statistik öffnen (Sie brauchen ein Konto):',
    setUp: {
      week: (name, organization) =>
        `${name} von ${organization} hat diese E-Mail eingerichtet. Sie kommt jede Woche.`,
      month: (name, organization) =>
        `${name} von ${organization} hat diese E-Mail eingerichtet. Sie kommt jeden Monat.`,
    },
    leave: 'Mit diesem Link bestellen Sie sie für Ihre Adresse ab:',
    leaveAction: 'Diese E-Mails abbestellen',
  },
}
