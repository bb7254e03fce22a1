import type { movesWords as English } from '../moves-words.ts'
import { isOne } from '../plurals.ts'

const can = (links: string) => (isOne(links) ? 'kann' : 'können')

/** German. */
export const movesWords: typeof English = {
  title: 'Von einem anderen Dienst umziehen',
  text: 'Übernehmen Sie Ihre Links mit ihren Kurzcodes, Namen, Schlagwörtern, Daten und bisherigen Klicks. Alles Gedruckte funktioniert weiter.',
  back: 'Alle Importe',
  viewer:
    'Um Links zu übernehmen, brauchen Sie die Rolle „Bearbeiter“. Frühere Umzüge sind hier aufgelistet.',
  offer: {
    title: 'Sie kommen von einem anderen Dienst?',
    text: 'Übernehmen Sie die Links aus Bitly, Dub, Kutt, Shlink, YOURLS, Short.io, Rebrandly oder jedem anderen Produkt, mit den gedruckten Kurzcodes.',
    action: 'Von einem anderen Dienst umziehen',
  },
  products: {
    bitly: 'Bitly',
    dub: 'Dub',
    kutt: 'Kutt',
    shlink: 'Shlink',
    yourls: 'YOURLS',
    shortio: 'Short.io',
    rebrandly: 'Rebrandly',
    csv: 'Anderes Produkt',
  },
  exports: {
    bitly: 'Öffnen Sie in Bitly „Links“ und dann „Export“. Die CSV-Datei kommt per E-Mail.',
    dub: 'Öffnen Sie in Dub „Links“ und dann „Export links“. Wählen Sie short link, destination URL, title, tags, created at und clicks.',
    kutt: 'Kutt hat keinen Export. Speichern Sie die Antworten seiner API (/api/v2/links) als JSON-Datei.',
    shlink: 'Verwenden Sie im Web-Client von Shlink „Export“ über der Liste der kurzen URLs.',
    yourls: 'YOURLS hat keinen Export. Exportieren Sie die Tabelle yourls_url aus der Datenbank als CSV.',
    shortio: 'Exportieren Sie in Short.io die Links einer Domain als CSV.',
    rebrandly: 'Rebrandly liefert seine Links als JSON (/v1/links). Speichern Sie sie in einer Datei.',
    csv: 'Eine CSV-Datei mit den Spalten shortCode und url und, falls vorhanden, title, tags, createdAt und clicks.',
  },
  fields: {
    shortCode: 'Kurzcode',
    destination: 'Ziel',
    title: 'Name',
    tags: 'Schlagwörter',
    createdAt: 'Erstellt',
    clicks: 'Bisherige Klicks',
  },
  links: (count, written) => (count === 1 ? '1 Link' : `${written} Links`),
  steps: {
    list: 'Schritte des Umzugs',
    change: 'Ändern',
    changeLabel: (step) => `Ändern: ${step}`,
    done: 'Fertig',
    product: 'In welchem Dienst sind Ihre Links?',
    target: 'Welcher Hostname ist gedruckt?',
    file: (product) => `Der Export aus ${product}`,
    anyFile: 'Der Export aus dem anderen Produkt',
    check: 'Was übernommen wird',
  },
  target: {
    text: 'Codes funktionieren nur auf dem Hostnamen weiter, mit dem sie gedruckt sind.',
    installation: 'Die Adresse dieser Installation',
    installationText:
      'Für neue Drucke, oder wenn der alte Hostname jetzt die Adresse dieser Installation ist.',
    exact:
      'Groß- und Kleinschreibung zählt: aBc und abc sind zwei Codes, wie in den meisten anderen Produkten.',
    canonical:
      'Groß- und Kleinschreibung ist egal. Unterscheiden sich Codes nur darin, kann nur einer übernommen werden.',
    pending: 'Codes warten, bis sie bestätigt ist, und antworten vorher nicht.',
    prove: (hostname) => `${hostname} bestätigen`,
    missing: 'Fehlt der gedruckte Hostname in dieser Liste?',
    add: 'Fügen Sie ihn als Domain hinzu',
    addText:
      'Geben Sie dort an, dass Groß- und Kleinschreibung zählt, und bestätigen Sie die Domain. Bis dahin antwortet weiter der alte Dienst.',
    askAdmin: 'Bitten Sie einen Admin, ihn als Domain hinzuzufügen, mit „Groß- und Kleinschreibung zählt“.',
    hosted: 'Ein Hostname des anderen Dienstes, etwa bit.ly, kann nicht mit umziehen: Er gehört Ihnen nicht.',
    loading: 'Ihre Domains werden gesucht …',
  },
  file: {
    drop: 'Export hier ablegen',
    choose: 'oder auswählen',
    hint: (csv, json, rows) => `CSV bis ${csv} MB oder JSON bis ${json} MB; bis zu ${rows} Links.`,
    comes: 'Was mitkommt und was nicht',
    problems: {
      tooLarge: (megabytes) =>
        `Diese Datei ist größer als ${megabytes} MB. Teilen Sie sie, oder nehmen Sie den Befehl auf dem Server.`,
      jsonTooLarge: (megabytes) =>
        `Eine JSON-Datei darf höchstens ${megabytes} MB groß sein. Teilen Sie sie, oder exportieren Sie die Links als CSV.`,
      empty: 'Diese Datei enthält keine Links. Die erste Zeile muss die Spalten benennen.',
      unreadable: 'Diese Datei ist weder CSV noch JSON. Fehlt irgendwo ein Anführungszeichen (")?',
      workbook: 'Das ist eine Arbeitsmappe. Speichern Sie sie als CSV und legen Sie diese Datei hier ab.',
    },
  },
  visits: {
    title: 'Einzelne Besuche',
    hint: 'Eine zweite Datei, falls Sie sie haben: das Protokoll von YOURLS oder die Besuche von Shlink. Besuche übernommener Links werden zu Scans.',
    choose: 'Datei der Besuche wählen',
    remove: 'Weglassen',
    can: (scans, written) =>
      scans === 1
        ? '1 Besuch kann als Scan übernommen werden'
        : `${written} Besuche können als Scans übernommen werden`,
    came: (scans, written) =>
      scans === 1 ? '1 Besuch wurde zum Scan' : `${written} Besuche wurden zu Scans`,
    bots: (bots, written) => (bots === 1 ? '1 war von einem Bot' : `${written} waren von Bots`),
    skippedCheck: (written) => `${written} nicht`,
    skipped: (written) => `${written} nicht übernommen`,
    columns: 'Spalten der Besuche',
    fields: {
      code: 'Link',
      time: 'Zeit',
      userAgent: 'Browser und System',
      referrer: 'Herkunft',
      country: 'Land',
      region: 'Region',
      city: 'Stadt',
      bot: 'Bot oder nicht',
    },
    unreadable: 'Besuche, die nicht lesbar sind',
    running: (done, of) => `${done} von ${of} Besuchen`,
  },
  columns: {
    title: 'Spalten',
    text: 'An ihren Namen erkannt. Ändern Sie, was nicht stimmt.',
    field: 'Hier',
    inFile: 'Spalte der Datei',
    firstValue: 'Erster Wert',
    columnOf: (field) => `Spalte für „${field}“`,
    none: 'Keine Spalte',
    choose: 'Auswählen …',
    both: (first, second) => `${first}, sonst ${second}`,
    missing: (field) => `Jeder Link braucht das: Wählen Sie die Spalte für „${field}“.`,
  },
  preview: {
    title: 'Die ersten Links, wie sie sein werden',
    cannot: 'Nicht übernehmbar',
    noCode: '(kein Kurzcode)',
    clicks: (clicks, written) => (clicks === 1 ? 'bisher 1 Klick' : `bisher ${written} Klicks`),
    leadsTo: 'führt zu',
  },
  check: {
    resolve: 'Jedes Ziel aufrufen',
    resolveHint:
      'Der Dienst öffnet jedes Ziel und nennt die ohne Seite. Für fünf Links derselben Website dauert das etwa eine Sekunde.',
    action: 'Alle Links prüfen',
    looking: (done, of) => `Ziele werden aufgerufen: ${done} von ${of}. Es wird nichts erstellt.`,
    text: 'Die Prüfung liest die ganze Datei. Es wird nichts erstellt.',
    sending: (share) => `Die Datei wird gesendet: ${share}`,
    checking: (done, of) => `Links werden geprüft: ${done} von ${of}. Es wird nichts erstellt.`,
    allFine: (links, written) =>
      links === 1
        ? 'Der Link kann übernommen werden. Noch ist nichts erstellt.'
        : `Alle ${written} Links können übernommen werden. Noch ist nichts erstellt.`,
    someFine: (fine, wrong) =>
      `${fine} ${can(fine)} übernommen werden, ${wrong} nicht. Noch ist nichts erstellt.`,
    noneFine: 'So kann kein Link übernommen werden.',
    exact:
      'Die meisten dieser Codes passen zu einer Domain, auf der Groß- und Kleinschreibung zählt. Wählen Sie eine im Schritt „Welcher Hostname ist gedruckt?“, oder fügen Sie dort eine hinzu.',
    start: (links) => `${links} übernehmen`,
    progress: 'Fortschritt der Prüfung',
  },
  problems: {
    title: 'Links, die nicht übernommen werden können',
    titleAfter: 'Links, die nicht übernommen wurden',
    warnings: 'Ziele ohne Seite',
    warningsText: 'Diese Links werden trotzdem übernommen. Die Ziele können Sie später hier ändern.',
    line: (written) => `Zeile ${written}`,
    more: (written) => `${written} weitere anzeigen`,
    beyond: (written) => `und ${written} weitere, alle im Download`,
    download: 'Mit den Gründen herunterladen',
  },
  job: {
    back: 'Weitere Links übernehmen',
    running: (done, of) => `Links: ${done} von ${of}`,
    progress: 'Fortschritt des Umzugs',
    cancel: 'Umzug anhalten',
    cancelTitle: 'Diesen Umzug anhalten?',
    cancelText: 'Links, die schon hier sind, bleiben. Die übrigen werden nicht übernommen.',
    leave: 'Sie können diese Seite verlassen. Der Umzug läuft weiter.',
    completed: (links) => `${links} übernommen`,
    checked: (links) => `Geprüft: ${links} ${can(links)} übernommen werden`,
    refused: (links) => `${links} nicht übernommen`,
    refusedCheck: (links) => `${links} nicht`,
    cancelled: (links) => `Angehalten nach: ${links}`,
    failed: 'Dieser Umzug ist fehlgeschlagen',
    checkOnly: 'Nur geprüft',
    statuses: {
      PENDING: 'Wartet',
      PROCESSING: 'Läuft',
      COMPLETED: 'Fertig',
      FAILED: 'Fehlgeschlagen',
      CANCELLED: 'Angehalten',
    },
  },
  plan: {
    title: 'Eine Domain ohne Unterbrechung',
    steps: [
      [
        'Domain bestätigen',
        'Fügen Sie sie mit „Groß- und Kleinschreibung zählt“ hinzu und tragen Sie den TXT-Eintrag ein. Scans kommen weiter beim alten Dienst an.',
      ],
      ['Zertifikat holen', 'Vor der Änderung im DNS, damit Telefone keine Warnung zeigen.'],
      ['Links übernehmen', 'Auf dieser Seite: Für Menschen, die scannen, ändert sich nichts.'],
      ['Vergleichen', '200 Links werden in beiden Diensten aufgerufen; die abweichenden werden aufgelistet.'],
      [
        'DNS umstellen',
        'Lassen Sie den Hostnamen hierher führen. Behalten Sie das alte Konto, bis Sie sicher sind.',
      ],
    ],
    domains: 'Domains öffnen',
  },
  next: {
    title: 'Wie es weitergeht',
    hosted: (hostname) =>
      `Scans von ${hostname} kommen noch dort an, wohin das DNS führt. Stellen Sie es um, sobald die Links verglichen sind: Die Einträge stehen in den Einstellungen.`,
    waits: (hostname) =>
      `Die Codes und ihre Besuche warten, bis ${hostname} bestätigt ist, und antworten vorher nicht. Legen Sie den Eintrag an, und vergleichen Sie dann hier die Links.`,
    installation: 'Drucken Sie neue Codes, oder lassen Sie die alten Links zu den neuen führen.',
    domains: 'Einzutragende DNS-Einträge',
  },
  compare: {
    title: 'Mit dem alten Dienst vergleichen',
    text: (links) =>
      `Prüft für ${links} dieses Umzugs, wohin der alte Dienst führt und ob es hier dasselbe Ziel ist. Vergleichen Sie, bevor Sie das DNS umstellen. Der alte Dienst zählt diese Aufrufe vielleicht als Klicks.`,
    sample: (written) => `${written} zufällige Links`,
    all: (links, written) => (links === 1 ? 'den einen Link' : `die ${written} Links`),
    baseUrl: 'Adresse des alten Dienstes',
    baseUrlHint:
      'Nur nötig, wenn er nicht unter den kurzen URLs der Datei antwortet, etwa https://old.example.com.',
    start: 'Vergleichen',
    again: 'Erneut vergleichen',
    running: (done, of) => `Verglichene Links: ${done} von ${of}`,
    progress: 'Fortschritt des Vergleichs',
    allSame: (links, written) =>
      links === 1
        ? 'Der Link führt in beiden Diensten zur selben Adresse.'
        : `Alle ${written} Links führen in beiden Diensten zur selben Adresse.`,
    different: (count, of) => `Links, die nicht zur selben Adresse führen: ${count} von ${of}.`,
    failed: 'Der Vergleich ist fehlgeschlagen.',
    list: 'Abweichende Links',
    there: 'Alter Dienst',
    here: 'Hier',
    noRedirect: 'keine Weiterleitung',
    status: (status) => `keine Weiterleitung (Status ${status})`,
  },
  history: 'Frühere Umzüge',
  noHistory: 'Ihre Umzüge erscheinen hier.',
}
