import type { copyProblems as english } from '@everscan/contract/problems/copy-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** German. */
export const copyProblems = {
  backupDirMissing:
    'Den Ordner {dir} aus BACKUP_DIR gibt es nicht. Binden Sie ihn ein, oder legen Sie ihn für den Benutzer des Dienstes an.',
  backupDirNoFolder: 'BACKUP_DIR {dir} ist kein Ordner. Setzen Sie einen Ordner.',
  backupDirUnwritable:
    'Der Benutzer des Dienstes darf nicht in {dir} aus BACKUP_DIR schreiben. Erlauben Sie es ihm.',
  passphraseFileUnreadable:
    'Die Datei {path} aus BACKUP_PASSPHRASE_FILE lässt sich nicht lesen. Bis dahin entstehen keine Sicherungen, weil sie nicht verschlüsselt wären.',
  copyAbandoned:
    'Der Prozess, der auf {machine} daran war, endete vorher. Lesen Sie das Log, und prüfen Sie den Arbeitsspeicher des Rechners.',
  copyDiffers: 'Die wiederhergestellte Sicherung weicht ab: {difference}.',
  copyCommandFailed: 'Das Kommando meldet: {reason}.',
  copyNotMade: ({ last, ...values }, sayOther) => `Es entstand keine Kopie. ${sayOther(last, values)}`,
  copyNotVerified: ({ copy, last, ...values }, sayOther) =>
    `Die Sicherung ${copy} ließ sich nicht überprüfen. ${sayOther(last, values)}`,
  copyFailed: 'Die letzte Sicherung ist fehlgeschlagen. Die Ursache steht im Log des Dienstes.',
  copyLacksScans: ({ hits, firstDay, lastDay, writer, scans, machines, damagedBytes }) => {
    const lacks = [
      ...(hits > 0
        ? [`Scans ${period(firstDay, lastDay)}: ${hits}${writer === '' ? '' : ` (von ${writer})`}`]
        : []),
      ...(scans > 0 ? [`nicht angekommene Scans anderer Rechner: bis zu ${scans}`] : []),
      ...(machines === '' ? [] : [`vielleicht Scans von ${machines}`]),
      ...(damagedBytes > 0 ? [`beschädigte Bytes der Journale dieses Rechners: ${damagedBytes}`] : []),
    ]
    return `Der letzten Sicherung fehlen Daten. ${lacks.join('; ')}. Sorgen Sie dafür, dass jeder Rechner läuft und den Scan-Speicher erreicht. Zu verlorenen Scans sagt ./everscan doctor mehr.`
  },
  copyMissing: ({ hours }) =>
    `Seit ${span(hours)} ist keine Sicherung entstanden. Die Ursache steht im Log des Dienstes.`,
  copyOld: ({ hours, everyHours }) =>
    `Die letzte Sicherung ist vor ${span(hours)} entstanden, und fällig ist eine alle ${everyHours} Stunden. Die Ursache steht im Log des Dienstes.`,
  copyUnverified: ({ hours }) =>
    `Seit ${span(hours)} ist keine Sicherung überprüft. Die Ursache steht im Log des Dienstes.`,
  copyHasFewer:
    'Die Sicherung hat weniger Scans als {before}, und RETENTION_DAYS hat sie nicht gelöscht. Es fehlen: {hits}. Behalten Sie die ältere, bis Sie den Grund kennen.',
  copiesNotScheduled: 'Es sind keine Sicherungen geplant. Setzen Sie BACKUP_DIR.',
} as const satisfies ProblemWords<typeof english>

const span = (hours: number) => (hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} Tagen`)
const period = (first: string, last: string) => (first === last ? `vom ${first}` : `vom ${first} bis ${last}`)
