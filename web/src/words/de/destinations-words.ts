import type { destinationsWords as English } from '../destinations-words.ts'

/** German. */
export const destinationsWords: typeof English = {
  rule: 'Regel',
  scans: 'Scans',
  unique: 'Eindeutig',
  uniqueScans: 'Eindeutige Scans',
  share: 'Anteil',
  ownNote: 'Der eigene Inhalt des Codes',
  arm: (name) => `Variante ${name}`,
  removed: 'Entfernt',
  chance: {
    fits: (rule, weights) =>
      `${rule}: Die eindeutigen Scans passen zu den Gewichten (${weights}). Unterschiede dieser Größe erklärt der Zufall.`,
    differs: (rule, weights) =>
      `${rule}: Die eindeutigen Scans passen nicht zu den Gewichten (${weights}). Der Unterschied ist größer, als der Zufall allein erklärt.`,
  },
}
