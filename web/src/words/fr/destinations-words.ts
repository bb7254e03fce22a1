import type { destinationsWords as English } from '../destinations-words.ts'

/** French. */
export const destinationsWords: typeof English = {
  rule: 'Règle',
  scans: 'Scans',
  unique: 'Uniques',
  uniqueScans: 'Scans uniques',
  share: 'Part',
  ownNote: 'Le contenu propre du code',
  arm: (name) => `Variante ${name}`,
  removed: 'Supprimée',
  chance: {
    fits: (rule, weights) =>
      `${rule} : les scans uniques correspondent aux poids (${weights}). Le hasard explique des écarts de cette taille.`,
    differs: (rule, weights) =>
      `${rule} : les scans uniques ne correspondent pas aux poids (${weights}). L’écart est plus grand que ce que le hasard explique.`,
  },
}
