import type { destinationsWords as English } from '../destinations-words.ts'

/** Spanish. */
export const destinationsWords: typeof English = {
  rule: 'Regla',
  scans: 'Escaneos',
  unique: 'Únicos',
  uniqueScans: 'Escaneos únicos',
  share: 'Proporción',
  ownNote: 'El contenido propio del código',
  arm: (name) => `Variante ${name}`,
  removed: 'Eliminada',
  chance: {
    fits: (rule, weights) =>
      `${rule}: los escaneos únicos corresponden a los pesos (${weights}). El azar explica diferencias de este tamaño.`,
    differs: (rule, weights) =>
      `${rule}: los escaneos únicos no corresponden a los pesos (${weights}). La diferencia es mayor de lo que el azar explica.`,
  },
}
