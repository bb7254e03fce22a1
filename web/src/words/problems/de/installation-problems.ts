import type { installationProblems as english } from '@everscan/contract/problems/installation-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'
import { byMachines } from '../values.ts'

/** German. */
export const installationProblems = {
  processDown: 'Der Prozess läuft nicht oder startet gerade.',
  processSilent: 'Der Prozess hat sich seit {seconds} s nicht gemeldet.',
  processMute: 'Der Prozess antwortet nicht.',
  figuresCannotRun:
    '{package} braucht {needs} und läuft nicht auf diesem Rechner ({reason}). Codes leiten weiter, Scans warten im Journal, und die Statistik fällt aus. Ziehen Sie auf einen anderen Rechner um, oder setzen Sie CLICKHOUSE_URL.',
  apiCannotRun:
    '{package} braucht {needs} und läuft nicht auf diesem Rechner ({reason}). Codes leiten weiter, und Scans warten im Journal; API, Dashboard und Statistik fallen aus. Ziehen Sie auf einen anderen Rechner um.',

  catalogueUpgradeBegins: 'Der Katalog wird aktualisiert.',
  catalogueCopied: 'Der Katalog wird vor seiner Aktualisierung gesichert.',
  catalogueUpgrading:
    'Der Katalog wird aktualisiert: {done} von {all} Schritten sind getan, jetzt {migration}.',
  catalogueUpgradedElsewhere: 'Ein anderer Prozess aktualisiert den Katalog.',
  catalogueSilent: 'Die Datenbank antwortet nicht.',

  scanStoreSilent: 'Der Scan-Speicher antwortet nicht: Scans warten im Journal, und die Statistik fällt aus.',
  scanStoreUpgrading:
    'Der Scan-Speicher wird aktualisiert: Scans warten im Journal, und die Statistik fällt aus.',
  scanStoreLater:
    'Ein neueres Release hat den Scan-Speicher aktualisiert (Schema {schema}, dieses Release kennt bis {known}). Verwenden Sie jenes Release, oder stellen Sie eine Sicherung von vorher wieder her.',
  scanServerTooOld:
    'ClickHouse muss {min} oder neuer sein, und der Server in CLICKHOUSE_URL ist {version}. Aktualisieren Sie ihn.',
  scanStoreForeign:
    'Der Scan-Speicher gehört zur Installation {owner} und der Katalog zu {installation}. Stellen Sie das passende {dir} wieder her. Falls es so gewollt ist: ./everscan adopt scan-store.',
  scanServerForeign:
    'Der Scan-Speicher gehört zur Installation {owner} und der Katalog zu {installation}. Setzen Sie die passende CLICKHOUSE_URL. Falls es so gewollt ist: ./everscan adopt scan-store.',
  scanStoreOther:
    'Der Scan-Speicher ist nicht der, den der Katalog kennt. Stellen Sie den richtigen wieder her, oder übernehmen Sie diesen: ./everscan adopt scan-store.',
  scanStoreEmpty:
    'Der Scan-Speicher ist leer, aber der Katalog weiß von Scans darin. Stellen Sie ihn wieder her (ist ein Laufwerk nicht eingebunden?), oder beginnen Sie mit diesem, der die Scans der letzten drei Tage zurückbekommt: ./everscan adopt scan-store.',
  scanStoreSecond:
    'CLICKHOUSE_URL fehlt: Diese Datenbank gehört zu einem Rechner mit eigenem Scan-Speicher, und jeder von zweien hätte nur einen Teil der Scans. Setzen Sie CLICKHOUSE_URL auf allen Rechnern. Falls es jenen Rechner nicht mehr gibt: ./everscan adopt scan-store.',
  scanStoreOld:
    'Die Scans sind im eingebetteten Scan-Speicher eines früheren Release. Halten Sie den Dienst an, und machen Sie daraus Dateien dieses Release: ./everscan upgrade-store. Bis dahin leiten Codes weiter, Scans warten im Journal, und die Statistik fällt aus.',
  scanStoreRefused: 'Der Scan-Speicher kann nicht verwendet werden. Die Ursache steht im Log des Dienstes.',
  rewriteStuck: 'Der Scan-Speicher kommt mit seiner Aktualisierung nicht weiter: {reason}.',
  rewriteUnderWay: ({ done, rows, minutes }) =>
    `Alte Zeilen werden umgeschrieben: ${done} von ${rows}${minutes < 0 ? '' : `, noch etwa ${minutes} min`}. Codes leiten weiter, und die Statistik bleibt richtig.`,
  scanPartsTroubled: ({ detached, broken, part, table, why }) =>
    `Teile des Scan-Speichers sind ausgehängt (${detached}) oder nicht lesbar (${broken}), etwa ${part} von ${table}${why === '' ? '' : ` (${why})`}. Siehe docs/operations.md.`,
  hitsLost: ({ hits, firstDay, lastDay }) =>
    `Verlorene Scans vom ${firstDay}${firstDay === lastDay ? '' : ` bis ${lastDay}`}: ${hits}. Stellen Sie eine Sicherung wieder her, die sie enthält, oder nehmen Sie den Verlust hin: ./everscan adopt losses.`,

  scansUnrecorded: 'Scans werden nicht aufgezeichnet oder nicht auf die Festplatte geschrieben.',
  journalNearlyFull: 'Das Journal ist fast voll: {percent} % von JOURNAL_MAX_BYTES sind belegt.',
  journalFilling: 'Das Journal füllt sich: {percent} % von JOURNAL_MAX_BYTES sind belegt.',
  diskNearlyFull: 'Die Festplatte von DATA_DIR ist fast voll: {freeBytes} von {sizeBytes} Bytes sind frei.',
  limitsUncounted:
    'Der Katalog konnte Antworten begrenzter Codes nicht zählen. Ohne ihn gegeben: {open}, verweigert: {closed}.',

  ingestWaits: 'Die Scans warten auf den Scan-Speicher.',
  ingestStoreSilent: 'Die Scans warten im Journal, denn der Scan-Speicher antwortet nicht.',
  ingestStoreRefused: 'Die Scans warten im Journal, denn der Scan-Speicher antwortet {code}.',
  ingestFileFailed:
    'Die Scans warten im Journal, denn eine Datei lässt sich nicht lesen oder schreiben ({code}).',
  ingestCatalogueSilent: 'Die Scans warten im Journal, denn der Katalog antwortet nicht.',
  ingestFailing: 'Die Scans warten im Journal. Die Ursache steht im Log des Dienstes.',
  journalForeign:
    'Die Journale in {dir} gehören zur Installation {owner}. Entfernen Sie den Ordner aus DATA_DIR. Um seine Scans hier aufzunehmen: ./everscan adopt data-dir.',
  ingestLate: 'Die Statistik ist {seconds} s im Rückstand ({bytes} Bytes).',
  restoredUncounted:
    'Die Scans der wiederhergestellten Sicherung werden gezählt. Bis dahin sind die Zähler der Codes hinter der Statistik zurück.',

  geographyUnreadable:
    'Die Städtedatei für IP{family} {path} lässt sich nicht lesen ({code}). Orte sind unbekannt.',
  geographyKept:
    'Die Städtedatei für IP{family} {path} lässt sich nicht lesen ({code}). Die bisherige bleibt in Gebrauch.',
  geographyOld: 'Die Daten der Orte sind vom {day}, {days} Tage alt.',

  certificatesFailing: ({ count, host, day, last, ...values }, sayOther) =>
    `Zertifikate, die sich nicht erneuern ließen: ${count}. Das von ${host} endet am ${day}. ${sayOther(last, values)}`,

  settingDiffers: ({ setting, settings, machines }) =>
    differing(
      setting,
      byMachines(settings, machines).map(([value, on]) => `${value} auf ${on}`),
    ),
  secretDiffers: ({ setting, settings, machines }) =>
    differing(
      setting,
      byMachines(settings, machines).map(([value, on]) => `Fingerabdruck ${value} auf ${on}`),
    ),
  machineSilent:
    'Der Rechner {machine} hat sich seit {since} nicht gemeldet und wurde nicht angehalten. Scans in seinem Journal gibt es vielleicht nirgends sonst. Starten Sie ihn wieder.',
} as const satisfies ProblemWords<typeof english>

const differing = (setting: string, parts: readonly string[]) =>
  `Die Einstellung ${setting} ist auf den Rechnern verschieden: ${parts.join(', ')}. Geben Sie allen denselben Wert.`
