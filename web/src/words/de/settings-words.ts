import { isOne, listsOf } from '../plurals.ts'
import type {
  copiesWords as EnglishCopies,
  machinesWords as EnglishMachines,
  membersWords as EnglishMembers,
  proxyCheckWords as EnglishProxyCheck,
  settingsWords as EnglishSettings,
} from '../settings-words.ts'

const inSentence = listsOf('de')

/** German. */
export const settingsWords: typeof EnglishSettings = {
  title: 'Einstellungen',
  parts: 'Bereiche der Einstellungen',
  general: 'Organisation',
  members: 'Mitglieder',
  domains: 'Domains',
  auditLog: 'Protokoll',
  connection: 'Proxy-Prüfung',
  copies: 'Sicherungen',
  onlyAdmins: 'Nur Admins der Organisation können das sehen oder ändern.',
  onlyAdminsChange: 'Nur Admins der Organisation können sie ändern.',
  name: 'Name',
  nameHint: 'Mitglieder sehen ihn hier in der Verwaltung.',
  publicName: 'Name auf Ihren Seiten',
  publicNameHint: 'Besucher sehen ihn auf den Seiten, die Ihre Codes öffnen. Leer: keiner.',
  saved: 'Gespeichert',
  logo: 'Logo auf Ihren Seiten',
  logoText: 'PNG, JPEG oder WebP, bis 1 MB.',
  noLogo: 'Kein Logo',
  chooseLogo: 'Bild auswählen',
  replaceLogo: 'Anderes Bild auswählen',
  removeLogo: 'Entfernen',
  logoRemoved: 'Logo entfernt.',
  logoTooLarge: 'Diese Datei ist größer als 1 MB. Wählen Sie ein kleineres Bild.',
  logoSaved: 'Logo gespeichert. Ihre Seiten zeigen es jetzt.',
  styles: 'Gespeicherte Stile',
  stylesText:
    'Neue Codes bekommen den Stil, der mit „Für neue Codes“ gekennzeichnet ist. Vorhandene behalten ihren.',
  noStyles: 'Noch keine gespeicherten Stile. Sie können einen speichern, während Sie einen Code erstellen.',
  isDefault: 'Für neue Codes',
  makeDefault: 'Für neue Codes verwenden',
  noDefault: 'Standardstil verwenden',
  styleMenu: (name) => `Aktionen für ${name}`,
  rename: 'Umbenennen',
  renameTitle: 'Stil umbenennen',
  deleteStyle: 'Löschen',
  styleDeleted: (name) => `Stil „${name}“ gelöscht.`,
  scansKept: 'Wie lange Scans bleiben',
  scansKeptText: (days) =>
    days === null
      ? 'Für immer: Diese Installation löscht keine Scans.'
      : `${days === 1 ? 'Einen Tag' : `${days} Tage`}, bis zur folgenden Mitternacht (UTC). Dann verschwinden sie aus Listen, Statistik und den Summen der Codes. Der Betreiber legt das mit RETENTION_DAYS fest.`,
  export: 'Alles exportieren',
  exportText:
    'Ein Archiv mit allen Codes, ihren Kurzlinks und ihrem Verlauf, Ordnern und Weiterleitungsregeln für einen anderen Server. Ihre gedruckten Codes sind nie an uns gebunden.',
  exportAction: 'Export herunterladen',
  mailsStopped: (since) =>
    `Der Betreiber dieser Installation hat die E-Mails dieser Organisation angehalten (${since}). Einladungen und E-Mails zu Ansichten werden erst wieder gesendet, wenn er sie erlaubt.`,
  leave: 'Diese Organisation verlassen',
  leaveText:
    'Sie verlieren den Zugang zu ihren Codes, und die API-Schlüssel, die Sie hier erstellt haben, gelten nicht mehr.',
  leaveAction: 'Verlassen',
  leaveTitle: (name) => `${name} verlassen?`,
  leaveConfirm: 'Zurück können Sie nur, wenn jemand Sie wieder einlädt.',
  left: (name) => `Sie haben ${name} verlassen.`,
  noOrganization: 'Sie haben noch keine Organisation',
  noOrganizationText: 'Bitten Sie um eine Einladung, oder legen Sie eine eigene an.',
}

export const membersWords: typeof EnglishMembers = {
  title: 'Mitglieder',
  roles: { ADMIN: 'Admin', EDITOR: 'Bearbeiter', VIEWER: 'Betrachter' },
  rolesText: {
    ADMIN: 'Admin: alles, auch Mitglieder und Schlüssel',
    EDITOR: 'Bearbeiter: erstellt und ändert Codes',
    VIEWER: 'Betrachter: sieht Codes und Statistik',
  },
  count: (members, written) => (members === 1 ? '1 Mitglied' : `${written} Mitglieder`),
  you: 'Sie',
  roleOf: (name) => `Rolle von ${name}`,
  roleChanged: (name, role) => `${name}: neue Rolle ${role}.`,
  ownRoleTitle: (role) => `Zur Rolle ${role} wechseln?`,
  ownRoleText: 'Sie verlieren Ihre Admin-Rechte sofort. Ein anderer Admin kann sie Ihnen zurückgeben.',
  ownRoleAction: 'Meine Rolle ändern',
  joined: (when) => `beigetreten ${when}`,
  menu: (name) => `Aktionen für ${name}`,
  resetPassword: 'Passwort-Link erstellen',
  resetLink: (name) => `Passwort-Link für ${name}`,
  resetOnce:
    'Geben Sie ihn nur dieser Person: Wer ihn hat, kann das Passwort festlegen. Er gilt einmal, eine Stunde lang.',
  copyLink: 'Link kopieren',
  remove: 'Entfernen',
  removeTitle: (name) => `${name} entfernen?`,
  removeText:
    'Der Zugang endet sofort, und die API-Schlüssel, die diese Person hier erstellt hat, gelten nicht mehr.',
  removeAction: 'Mitglied entfernen',
  invite: 'Jemanden einladen',
  inviteTitle: 'Jemanden einladen',
  email: 'E-Mail-Adresse',
  role: 'Rolle',
  makeInvitation: 'Einladung erstellen',
  twoFactor: 'Zwei-Faktor-Anmeldung',
  withoutTwoFactor: 'Ohne zweiten Faktor',
  demandTwoFactor: 'Alle Mitglieder müssen die Zwei-Faktor-Anmeldung verwenden',
  demandTwoFactorHint: 'Mitglieder ohne sie können diese Organisation nicht öffnen, bis sie sie einschalten.',
  twoFactorFirst: 'Schalten Sie sie zuerst für Ihr eigenes Konto ein.',
  openAccount: 'Ihr Konto öffnen',
  demandTitle: 'Zwei-Faktor-Anmeldung verlangen?',
  demandText: (without) =>
    without.length === 0
      ? 'Alle Mitglieder verwenden sie schon. Neue Mitglieder schalten sie beim Beitritt ein.'
      : `Folgende Mitglieder können erst weitermachen, wenn sie sie in ihrem Konto einschalten: ${listed(without)}. API-Schlüssel funktionieren weiter.`,
  demandSome:
    'Mitglieder ohne sie können erst weitermachen, wenn sie sie in ihrem Konto einschalten. API-Schlüssel funktionieren weiter.',
  demandAction: 'Verlangen',
  twoFactorDemanded: 'Die Zwei-Faktor-Anmeldung ist jetzt Pflicht.',
  twoFactorOptional: 'Die Zwei-Faktor-Anmeldung ist jetzt freiwillig.',
  inviteLink: (email) => `Einladung für ${email}`,
  inviteOnce:
    'Senden Sie der Person diesen Link. Er gilt einmal, 7 Tage lang, und wird nicht noch einmal angezeigt.',
  inviteMailed:
    'Wir haben der Person einen Link per E-Mail gesendet. Falls er nicht ankommt, senden Sie ihr diesen. Er gilt einmal, 7 Tage lang, bestätigt aber ihre E-Mail-Adresse nicht.',
  inviteNotMailed: {
    UNWANTED:
      'Nicht per E-Mail gesendet: Unter dieser Adresse sind keine E-Mails dieser Installation erwünscht.',
    STOPPED: 'Nicht per E-Mail gesendet: Der Betreiber hat die E-Mails dieser Organisation angehalten.',
    LIMITED: 'Nicht per E-Mail gesendet: Es wurden zu viele E-Mails gesendet.',
    REFUSED: 'Nicht per E-Mail gesendet: Der Mailserver hat sie nicht angenommen.',
  },
  done: 'Fertig',
  invitations: 'Offene Einladungen',
  invited: (who, when) => `eingeladen von ${who}, ${when}`,
  ends: (when) => `läuft ${when} ab`,
  revoke: 'Zurückziehen',
  revokeTitle: (email) => `Einladung für ${email} zurückziehen?`,
  revokeText: 'Der Link darin gilt dann nicht mehr. Sie können die Person erneut einladen.',
  revokeAction: 'Einladung zurückziehen',
}

export const proxyCheckWords: typeof EnglishProxyCheck = {
  title: 'Proxy-Prüfung',
  text: 'Prüft, ob Everscan sieht, woher Besucher wirklich kommen. Länder, Städte und eindeutige Scans hängen davon ab.',
  youComeFrom: 'Ihre Adresse hier',
  directly: 'direkt, ohne vertrauten Proxy.',
  throughProxies: (count, which) =>
    count === 1 ? `über 1 Proxy: ${which}.` : `über ${count} Proxys: ${which}.`,
  compare:
    'Vergleichen Sie sie mit einer Seite, die Ihre öffentliche Adresse anzeigt. Im Netz des Servers ist es die lokale Adresse Ihres Geräts.',
  right: 'Ist das Ihre Adresse?',
  rightText: 'Dann ist alles richtig eingerichtet.',
  wrong: 'Nicht Ihre Adresse?',
  suggestionText: (address) =>
    `Der Server ${address} reicht Ihre Adresse weiter, ihm wird aber nicht vertraut. Wenn er Ihr Proxy ist, starten Sie Everscan mit dieser Einstellung:`,
  copySetting: 'Einstellung kopieren',
  noHeader:
    'Dann reicht ein Proxy dazwischen Ihre Adresse nicht weiter. Lassen Sie ihn den Header X-Forwarded-For senden und öffnen Sie diese Seite erneut.',
  someHeader:
    'Dann reicht der Proxy Ihre Adresse in einem anderen Header weiter. Lassen Sie ihn auch X-Forwarded-For senden und öffnen Sie diese Seite erneut.',
  trusted: 'Vertraute Proxys',
  trustedNone: 'Keine: TRUST_PROXY ist nicht gesetzt.',
  trustedText: 'Aus der Einstellung TRUST_PROXY. Von allen anderen wird X-Forwarded-For ignoriert.',
  headers: 'Header Ihrer Anfrage',
  peer: 'Verbunden von',
  scans: 'Neueste Scans',
  scansNone: 'Noch nicht genug Scans: Mindestens 200 sind nötig.',
  scansFine: (share, count) =>
    `Von den letzten ${count} Scans kamen ${share} aus dem häufigsten Netz. Das sieht richtig aus.`,
  scansOne: (share, count) =>
    `Von den letzten ${count} Scans kamen ${share} aus einem Netz. Wenn Besucher von vielen Orten kommen, sieht Everscan an ihrer Stelle einen Proxy: Setzen Sie TRUST_PROXY.`,
  again: 'Erneut prüfen',
}

export const machinesWords: typeof EnglishMachines = {
  title: 'Rechner',
  text: 'Alle Rechner teilen sich die Codes. Jeder schreibt Scans zuerst auf seine eigene Festplatte. Entfernen Sie einen Rechner erst, wenn dort keine Scans mehr warten.',
  states: { LIVE: 'Läuft', SILENT: 'Meldet sich nicht', STOPPED: 'Beendet' },
  since: { LIVE: 'Gestartet', SILENT: 'Zuletzt gesehen', STOPPED: 'Beendet' },
  release: (release) => `Version ${release}`,
  waitingUnknown: 'Unbekannt, wie viele Scans warten',
  waitingNone: 'Keine Scans warten',
  waiting: (size) => `${size} an Scans warten`,
  silent:
    'Er meldet sich nicht mehr, wurde aber nicht beendet. Scans auf seiner Festplatte sind vielleicht nirgends sonst: Starten Sie Everscan dort wieder.',
  upgrade: {
    title: 'Aktualisierung des Scan-Speichers',
    text: 'Ältere Scans werden für diese Version umgeschrieben. Codes leiten währenddessen weiter und Zahlen stimmen; Auswertungen können länger dauern.',
    done: (done, all) => `Fertige Zeilen: ${done} von ${all}`,
    endsAt: (when) => `voraussichtlich fertig ${when}`,
    problem:
      'Der Scan-Speicher kommt nicht weiter. Er versucht es von selbst wieder, sobald die Ursache behoben ist:',
  },
}

export const copiesWords: typeof EnglishCopies = {
  title: 'Sicherungen',
  text: 'Sicherungen der ganzen Installation: jede Organisation, jeder Code und jeder Scan. Mit jeder lässt sich alles auf einem anderen Rechner wiederherstellen.',
  onlyOperator: 'Nur die Organisation des Betreibers sieht die Sicherungen.',
  state: 'Zustand',
  last: 'Letzte Sicherung',
  none: 'Noch keine',
  holds: (size, codes, scans) =>
    `${size}: ${isOne(codes) ? '1 Code' : `${codes} Codes`} und ${isOne(scans) ? '1 Scan' : `${scans} Scans`}`,
  lastVerified: 'Zuletzt überprüft',
  never: 'Nie',
  verifiedMeans: 'Überprüft: probeweise wiederhergestellt und verglichen.',
  schedule: 'Zeitplan',
  scheduleText: (hours, keep) =>
    `${hours === 1 ? 'Jede Stunde' : hours === 24 ? 'Jeden Tag' : `Alle ${hours} Stunden`}; ${keep === 1 ? 'nur die neueste bleibt' : `die neuesten ${keep} bleiben`}.`,
  dir: 'Ordner',
  encryption: 'Verschlüsselung',
  encrypted:
    'Verschlüsselt. Ohne die Passphrase sind die Sicherungen nutzlos: Bewahren Sie sie auch woanders auf.',
  notEncrypted:
    'Nicht verschlüsselt. Wer diese Dateien hat, hat jedes Geheimnis darin: Setzen Sie BACKUP_PASSPHRASE_FILE.',
  whatToDo: (hours) =>
    `Beheben Sie das auf dem Server. Everscan versucht es innerhalb ${hours === 1 ? 'einer Stunde' : `von ${hours} Stunden`} erneut; „./everscan backup“ erstellt sofort eine Sicherung.`,
  setUp: 'Es werden keine Sicherungen erstellt',
  setUpText:
    'Wenn dieser Rechner oder seine Festplatte ausfällt, sind alle Codes und Scans verloren. Starten Sie Everscan mit diesen beiden Einstellungen und einem Ordner auf einer anderen Festplatte oder einem anderen Rechner:',
  settings: 'BACKUP_DIR=/mnt/backup\nBACKUP_PASSPHRASE_FILE=/etc/everscan/passphrase',
  copySettings: 'Einstellungen kopieren',
  setUpMore:
    'Schreiben Sie eine Passphrase Ihrer Wahl in die erste Zeile dieser Datei. Everscan erstellt dann jeden Tag eine Sicherung. Siehe docs/backup.md, das mit Everscan kommt.',
  recent: 'Neueste Sicherungen',
  states: {
    MAKING: 'In Arbeit',
    CHECKED: 'Vollständig',
    VERIFIED: 'Überprüft',
    PARTIAL: 'Scans fehlen',
    FAILED: 'Fehlgeschlagen',
  },
  lost: (hits, days) =>
    `Verlorene Scans vom ${days}: ${hits}. Sie fehlen in der Statistik und in jeder Sicherung, die jetzt entsteht.`,
  lostWhatToDo:
    'Stellen Sie eine Sicherung wieder her, die diese Scans enthält, oder nehmen Sie den Verlust auf dem Server hin: „./everscan adopt losses“. Bis dahin bleiben ältere vollständige Sicherungen erhalten.',
  onMachine: (machine) => `Auf dem Rechner ${machine}`,
  places: 'Orte der Scans',
  placesText:
    'Länder und Städte stammen aus einer Datenbank, die altert: Netze ziehen um. Um neuere Dateien zu verwenden, setzen Sie GEOIP_CITY_V4 und GEOIP_CITY_V6 und ersetzen Sie die Dateien jeden Monat.',
  placesIpv4: 'Stand der IPv4-Daten',
  placesIpv6: 'Stand der IPv6-Daten',
  placesUnreadable: 'Die Datei ist nicht lesbar: siehe das Log.',
  wrongNow: 'Was jetzt nicht stimmt',
  history: 'Geschichte dieser Installation',
  noNotes:
    'Nichts Ungewöhnliches: Kein Scan ging verloren, und keine älteren Daten wurden wiederhergestellt.',
  notes: {
    catalogueOlder: (minutes, written) =>
      `Ein Katalog, der etwa ${written} ${minutes === 1 ? 'Minute' : 'Minuten'} älter war, wurde wiederhergestellt. Alle mussten sich neu anmelden.`,
    catalogueBehind: (hits) =>
      `Ein älterer Katalog wurde wiederhergestellt. Scans des Scan-Speichers, die ihm fehlten: ${hits}. Alle sind wieder gezählt.`,
    reservedThen: (codes, written) =>
      codes === 1
        ? 'Ein Code, der ihm fehlte, ist reserviert.'
        : `${written} Codes, die ihm fehlten, sind reserviert.`,
    keysSince:
      'Das Protokoll nennt die API-Schlüssel, die seitdem widerrufen, erstellt oder verwendet wurden. Widerrufene bleiben widerrufen.',
    scansDoubled: (hits) =>
      `Scans, die doppelt im Scan-Speicher waren: ${hits}. Die Doppelten wurden entfernt.`,
    countersCorrected: (scans) =>
      `Scan-Summen einiger Codes waren zusammen um ${scans} falsch und wurden berichtigt.`,
    scansPutBack: (hits) =>
      `Scans, die der Scan-Speicher verloren hatte: ${hits}. Alle wurden wiederhergestellt.`,
    scansLost: (hits, days) => `Endgültig verlorene Scans vom ${days}: ${hits}. Sie fehlen in der Statistik.`,
    days: (first, last) => `${first} bis ${last}`,
    visitorKey:
      'Der Schlüssel, der Besucher erkennt, wurde ersetzt: Wer wiederkam, zählte noch einmal als eindeutig.',
    visitorsBy64:
      'IPv6-Besucher werden seitdem an ihrem Netz erkannt: Einige zählten noch einmal als eindeutig.',
    adopted: (what) =>
      `Der Betreiber hat etwas übernommen, das zu einer anderen Installation gehörte: ${what}.`,
    adoptedParts: {
      'data-dir': 'ein Datenverzeichnis',
      'scan-store': 'einen Scan-Speicher',
      secret: 'ein anderes SECRET',
    },
    lossesAccepted: 'Der Betreiber hat den Verlust von Scans hingenommen.',
    restored: (madeAt) => `Alles wurde aus der Sicherung vom ${madeAt} wiederhergestellt.`,
    moved: 'Alles ist von den eingebetteten Datenbanken zu PostgreSQL und ClickHouse umgezogen.',
  },
  reserved: (codes, written) =>
    codes === 1
      ? 'Ein Kurzcode, der in Gebrauch war, fehlt im wiederhergestellten Katalog. Er wird nie wieder vergeben.'
      : `${written} Kurzcodes, die in Gebrauch waren, fehlen im wiederhergestellten Katalog. Sie werden nie wieder vergeben.`,
  mails: {
    title: 'Gesendete E-Mails',
    text: 'Einladungen, Fragen um Zustimmung und E-Mails zu Ansichten, die Mitglieder in den letzten 90 Tagen veranlasst haben. Adressen von Empfängern werden nicht gespeichert. Spätere Rückläufer gehen an die Absenderadresse der E-Mails.',
    none: 'Es wurden keine solchen E-Mails gesendet.',
    kinds: { invitation: 'Einladungen', consent: 'Fragen um Zustimmung', view: 'Zahlen von Ansichten' },
    count: (count, written) => (count === 1 ? 'Eine E-Mail' : `${written} E-Mails`),
    refused: (written) => `vom Mailserver nicht angenommen: ${written}`,
    to: (domain) => `an ${domain}`,
    deleted: 'Gelöschte Organisation',
    unknownSender: 'Unbekannter Absender',
    stopped: 'Angehalten',
    stop: 'E-Mails anhalten',
    allow: 'E-Mails erlauben',
    stopTitle: (name) => `E-Mails von ${name} anhalten?`,
    stopText:
      'Ab jetzt werden keine Einladungen und keine E-Mails zu Ansichten gesendet. Die Administratoren der Organisation sehen, dass der Betreiber das getan hat. E-Mails zu Konten und Domains kommen weiterhin.',
  },
  release: (release) => `Version ${release}`,
}

const namedMax = 5

function listed(names: readonly string[]): string {
  const others = names.length - namedMax
  return inSentence(others <= 1 ? names : [...names.slice(0, namedMax), `${others} weitere`])
}
