import { limits } from '@everscan/contract/schema/limits.ts'
import type { binWords as EnglishBin, deletionWords as EnglishDeletion } from '../bin-words.ts'

const them = (codes: number, one: string, many: string) => (codes === 1 ? one : many)

/** German. */
export const binWords: typeof EnglishBin = {
  title: 'Papierkorb',
  text: `Gelöschte Codes bleiben ${limits.binDays} Tage hier. Solange Sie einen nicht wiederherstellen, erfährt jeder, der ihn scannt, dass er nicht mehr funktioniert.`,
  back: 'Zurück zu den Codes',
  search: 'Papierkorb nach Namen durchsuchen',
  empty: {
    title: 'Der Papierkorb ist leer',
    text: `Codes, die Sie löschen, bleiben ${limits.binDays} Tage hier, damit Sie sie zurückholen können.`,
  },
  nothingFound: {
    title: 'Keine gelöschten Codes gefunden',
    text: 'Kein Code im Papierkorb hat diesen Namen.',
  },
  count: (codes, written) => (codes === 1 ? '1 Code' : `${written} Codes`),
  deletedBy: (age, who) => `Gelöscht ${age} von ${who}`,
  daysLeft: (days) => (days <= 1 ? 'Weniger als ein Tag übrig' : `Noch ${days} Tage`),
  restore: 'Wiederherstellen',
  restoreOne: (name) => `${name} wiederherstellen`,
  restored: (codes, one) =>
    `${codes} wiederhergestellt: ${one ? 'Er funktioniert' : 'Alle funktionieren'} wieder`,
  purge: 'Endgültig löschen',
  purgeOne: (name) => `${name} endgültig löschen`,
  purgeTitle: (what) => `${what} endgültig löschen?`,
  purgeText: (codes) =>
    `Das lässt sich nicht rückgängig machen. ${them(codes, 'Was davon gedruckt ist, funktioniert nie wieder, und sein Kurzlink wird', 'Was davon gedruckt ist, funktioniert nie wieder, und die Kurzlinks werden')} nie wieder vergeben.`,
  purged: (codes) => `${codes} endgültig gelöscht`,
}

export const deletionWords: typeof EnglishDeletion = {
  title: (what) => `${what} löschen?`,
  quoted: (name) => `„${name}“`,
  scanned: (codes, scans, written) =>
    scans === 0
      ? `${them(codes, 'Er wurde', 'Die Codes wurden')} in den letzten 30 Tagen nicht gescannt.`
      : `${them(codes, 'Er wurde', 'Die Codes wurden')} in den letzten 30 Tagen ${scans === 1 ? 'einmal' : `${written}-mal`} gescannt.`,
  counting: 'Die Scans der letzten 30 Tage werden gezählt …',
  notCounted: 'Die Scans der letzten 30 Tage konnten jetzt nicht gezählt werden.',
  effect: (codes) =>
    `Wer einen Druck davon scannt, liest, dass ${them(codes, 'er nicht mehr funktioniert', 'sie nicht mehr funktionieren')}. Sie können ${them(codes, 'ihn', 'sie')} ${limits.binDays} Tage lang aus dem Papierkorb zurückholen. Danach ${them(codes, 'ist er', 'sind sie')} endgültig weg.`,
  archiveHint: (codes) =>
    `Um ${them(codes, 'ihn', 'sie')} nur eine Zeit lang abzuschalten, archivieren Sie ${them(codes, 'ihn: Er bleibt', 'sie: Die Codes bleiben')} in Ihrer Liste, und Sie können ${them(codes, 'ihn', 'sie')} jederzeit wieder einschalten.`,
  archive: 'Stattdessen archivieren',
  delete: (codes) => `${codes} löschen`,
  type: (written) => `Tippen Sie ${written}, um sie zu löschen`,
  deleted: (codes) => `${codes} in den Papierkorb verschoben`,
}
