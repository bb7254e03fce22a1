import type { phonePreviewWords as English } from '../phone-preview-words.ts'

/** Spanish. */
export const phonePreviewWords: typeof English = {
  title: 'Lo que muestra un teléfono',
  enlarge: 'Vista previa más grande',
  largeTitle: 'La página tal como la ven los visitantes',
  screen: 'Pantalla',
  screens: { phone: 'Teléfono', desktop: 'Ordenador' },
  opens: 'Abre',
  noLink: 'Escriba un enlace para ver adónde lleva.',
  open: (phones) => `${phones} abren`,
  instead: (phones, host) => `${phones} abren ${host} en su lugar.`,
  phones: {
    ios: 'Los iPhone',
    android: 'Los teléfonos Android',
    other: 'Todos los demás dispositivos',
  },
  language: 'Idioma del teléfono',
  scheme: 'Claro u oscuro',
  schemes: { light: 'Claro', dark: 'Oscuro' },
  still: 'La página como la muestran los teléfonos. Aquí los enlaces están desactivados.',
}
