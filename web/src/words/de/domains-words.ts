import type { domainsWords as English } from '../domains-words.ts'

/** German. */
export const domainsWords: typeof English = {
  title: 'Domains',
  text: 'Drucken Sie Codes mit einer eigenen Adresse, etwa go.example.com/MENU.',
  add: 'Domain hinzufügen',
  addTitle: 'Domain hinzufügen',
  addText:
    'Nehmen Sie einen Namen, der nur für Codes da ist, etwa eine Subdomain. Alles darauf wird hier beantwortet; Ihre Website kann sie nicht mitbenutzen.',
  hostname: 'Hostname',
  hostnameHint: 'Zum Beispiel go.example.com. Er lässt sich später nicht ändern.',
  addAction: 'Domain hinzufügen',
  codes: 'Kurzlinks',
  codeForms: {
    canonical: 'Groß- und Kleinschreibung ist egal',
    exact: 'Groß- und Kleinschreibung zählt',
  },
  codesHint:
    'Wurden Codes mit dieser Domain schon mit einem anderen Produkt gedruckt, muss Groß- und Kleinschreibung zählen: aBc und abc sind dort verschiedene Codes. Sobald die Domain einen Code hatte, lässt sich das nicht mehr ändern.',
  exactCodes: 'In ihren Kurzlinks zählt Groß- und Kleinschreibung.',
  changeCodes: 'Kurzlinks der Domain ändern',
  changeCodesTitle: (hostname) => `Kurzlinks auf ${hostname}`,
  none: {
    title: 'Noch keine eigene Domain',
    text: 'Ihre Codes haben die Adresse dieser Installation. Mit einer eigenen Domain zeigt alles Gedruckte Ihren Namen und kann mit Ihnen umziehen.',
  },
  statuses: {
    PENDING: 'Noch nicht bestätigt',
    ACTIVE: 'Aktiv',
    FAILING: 'Nachweis fehlt',
  },
  statusTexts: {
    PENDING:
      'Tragen Sie die folgenden Einträge bei Ihrem DNS-Anbieter ein. Bis dahin antwortet kein Code auf dieser Domain.',
    ACTIVE: 'Bestätigt: Codes können diese Domain haben.',
    FAILING:
      'Der Nachweis fehlt seit mehr als 7 Tagen. Gedruckte Codes funktionieren weiter, aber eine andere Organisation kann die Domain übernehmen. Tragen Sie den TXT-Eintrag wieder ein.',
  },
  isDefault: 'Für neue Codes',
  reach: {
    arrives: 'Scans dieser Domain kommen hier an.',
    missing: 'Scans dieser Domain kommen hier noch nicht an.',
    unknown:
      'Dieser Server kann selbst nicht feststellen, ob Scans ankommen. Öffnen Sie die Domain auf einem Telefon, um es zu sehen.',
  },
  answers: {
    own: (codes: number, written: string) =>
      codes === 1
        ? 'Beantwortet 1 Code, der zu dieser Organisation gehört.'
        : `Beantwortet ${written} Codes, alle von dieser Organisation.`,
    former: (written: string, others: string) =>
      `Beantwortet Codes dieser Organisation (${written}) und eines früheren Inhabers (${others}).`,
    waiting: (codes: number, written: string) =>
      codes === 1 ? '1 Code wartet auf den Nachweis' : `${written} Codes warten auf den Nachweis`,
    lost: (codes: number, written: string) =>
      codes === 1
        ? '1 importierter Code, dessen Kurzlink ein anderer Code hat'
        : `${written} importierte Codes, deren Kurzlinks andere Codes haben`,
    more: (written) => `${written} weitere`,
    renameLabel: (name) => `Kurzlink von ${name} ändern`,
    renameTitle: (name) => `Kurzlink von ${name}`,
    renameText: 'Drucke mit dem bisherigen Kurzlink führen nicht zu diesem Code.',
    deleteLabel: (name) => `${name} löschen`,
    deleteTitle: (name) => `${name} löschen?`,
    deleteText:
      'Der Code hat hier noch nie geantwortet. Er wird endgültig gelöscht, mit den Scans, die mit ihm kamen.',
    deleteAction: 'Code löschen',
  },
  shortCode: 'Kurzlink',
  former: {
    title: (written: string) => `Codes des früheren Inhabers: ${written}`,
    noAddress: 'Führt zu keiner Adresse',
    give: 'Kündigen',
    giveTitle: (hostname) => `Dem früheren Inhaber von ${hostname} kündigen?`,
    giveText:
      'Seine gedruckten Codes mit diesem Namen funktionieren noch 90 Tage. Bis dahin kann niemand ändern, wohin sie führen. Danach zeigen Scans, dass der Code beendet ist. Die Administratoren des früheren Inhabers erfahren es per E-Mail. Sie können die Kündigung vor ihrem Ende zurücknehmen.',
    withdraw: 'Kündigung zurücknehmen',
    withdrawTitle: (hostname) => `Kündigung für ${hostname} zurücknehmen?`,
    withdrawText: 'Die Codes des früheren Inhabers funktionieren weiter, und er kann sie wieder ändern.',
    end: (day) => `Sie enden am ${day}.`,
    notice: (hostname, day) =>
      `${hostname} gehört jetzt einer anderen Organisation, die gekündigt hat: Ihre Codes mit dieser Domain enden am ${day}. Bis dahin lassen sie sich nur archivieren oder löschen. Drucken Sie die Codes, die Sie brauchen, mit einer anderen Adresse.`,
    ended: (hostname, day) =>
      `${hostname} gehört jetzt einer anderen Organisation, die gekündigt hat: Ihre Codes mit dieser Domain endeten am ${day}.`,
  },
  certificates: {
    PENDING: 'Das Zertifikat für https wird angefordert; das dauert ein bis zwei Minuten.',
    ISSUED: (until) => `Sie hat https. Das Zertifikat wird vor dem ${until} erneuert.`,
    failing: (problem) => `Es konnte kein Zertifikat für https angefordert werden: ${problem}`,
    expiring: (until, problem) =>
      `Das Zertifikat für https konnte nicht erneuert werden und läuft am ${until} ab: ${problem}`,
  },
  certificateRecord: {
    title: 'DNS-Eintrag für das Zertifikat',
    text: 'Damit hat die Domain https, bevor sie hierher führt. Er wird jede Minute gesucht und kann entfernt werden, sobald die Domain https hat.',
    copyName: 'Namen des Eintrags für das Zertifikat kopieren',
    copyValue: 'Wert des Eintrags für das Zertifikat kopieren',
    byDns: 'Zertifikat per DNS holen',
    automatic: 'Zertifikat automatisch holen',
    madeByDns: (hostname) => `Der Eintrag für ${hostname} wird in einer Minute angezeigt.`,
    madeAutomatic: 'Das Zertifikat wird angefordert, sobald die Domain hierher führt.',
  },
  records: 'Einzutragende DNS-Einträge',
  recordsSet: 'DNS-Einträge',
  recordsText:
    'Der TXT-Eintrag weist nach, dass die Domain Ihnen gehört, und muss bleiben. Der andere leitet Scans hierher.',
  recordsProofText: 'Er weist nach, dass die Domain Ihnen gehört, und muss bleiben.',
  type: 'Typ',
  name: 'Name',
  value: 'Wert',
  isSet: 'Eingetragen',
  notFound: 'Nicht gefunden',
  notLooked: 'Noch nicht geprüft',
  leadsTo: (value) => `Führt zu ${value}`,
  copyName: (type) => `Namen des ${type}-Eintrags kopieren`,
  copyValue: (type) => `Wert des ${type}-Eintrags kopieren`,
  check: 'Jetzt prüfen',
  checkLabel: (hostname) => `Jetzt prüfen: ${hostname}`,
  checked: (age) => `Geprüft ${age}`,
  proved: (hostname) => `${hostname} ist bestätigt.`,
  stillMissing: 'Änderungen im DNS können bis zu einer Stunde brauchen.',
  allSet: (hostname) => `${hostname}: Alle Einträge sind da.`,
  menu: (hostname) => `Aktionen für ${hostname}`,
  makeDefault: 'Für neue Codes verwenden',
  noDefault: 'Nicht für neue Codes verwenden',
  madeDefault: (hostname) => `Neue Codes haben jetzt die Domain ${hostname}.`,
  unmadeDefault: 'Neue Codes haben jetzt die Adresse dieser Installation.',
  addresses: 'Ändern, wohin sie führt',
  addressesTitle: (hostname) => `Wohin ${hostname} führt`,
  rootUrl: 'Startseite',
  rootUrlHint: (hostname) => `Für alle, die ${hostname} selbst öffnen. Leer: eine schlichte Seite.`,
  notFoundUrl: 'Unbekannte Codes',
  notFoundUrlHint: 'Für vertippte Codes. Leer: die Seite von Everscan.',
  goneUrl: 'Beendete Codes',
  goneUrlHint: 'Für archivierte oder gelöschte Codes. Leer: die Seite von Everscan.',
  addressesSaved: 'Gespeichert',
  leads: { rootUrl: 'Startseite', notFoundUrl: 'Unbekannte Codes', goneUrl: 'Beendete Codes' },
  showCodes: 'Codes der Domain anzeigen',
  delete: 'Löschen',
  deleteTitle: (hostname) => `${hostname} löschen?`,
  deleteCounting: 'Die Codes dieser Domain werden gezählt …',
  deleteUnused: 'Kein aktiver Code hat diese Domain.',
  deleteCodes: (codes, written) =>
    codes === 1
      ? 'Ein aktiver Code hat diese Domain. Er wird archiviert.'
      : `${written} aktive Codes haben diese Domain. Alle werden archiviert.`,
  deletePrints:
    'Alles, was mit dieser Domain gedruckt ist, funktioniert dann nicht mehr: Ein Scan zeigt die Seite für unbekannte Codes. Die Kurzlinks werden nie wieder vergeben.',
  deleteProof: 'Sie können die Domain später wieder hinzufügen; dann ist ein neuer Nachweis nötig.',
  deleteType: (hostname) => `Tippen Sie zur Bestätigung ${hostname}`,
  deleteAction: 'Domain löschen',
  deleteWithCodes: 'Codes archivieren und Domain löschen',
  deleted: (hostname) => `${hostname} gelöscht.`,
  choice: 'Domain',
  choiceHint: 'Sie wird gedruckt und lässt sich daher später nicht ändern.',
  filterAll: 'Alle Domains',
  ofInstallation: 'Diese Installation',
}
