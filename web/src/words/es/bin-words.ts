import { limits } from '@everscan/contract/schema/limits.ts'
import type { binWords as EnglishBin, deletionWords as EnglishDeletion } from '../bin-words.ts'
import { isOne } from '../plurals.ts'

const them = (codes: number, one: string, many: string) => (codes === 1 ? one : many)

/** Spanish. */
export const binWords: typeof EnglishBin = {
  title: 'Papelera',
  text: `Los códigos eliminados se quedan aquí ${limits.binDays} días. Mientras no restaure uno, quien lo escanee leerá que ya no funciona.`,
  back: 'Volver a los códigos',
  search: 'Buscar en la papelera por nombre',
  empty: {
    title: 'La papelera está vacía',
    text: `Los códigos que elimine se quedan aquí ${limits.binDays} días, para que pueda recuperarlos.`,
  },
  nothingFound: {
    title: 'No se encontraron códigos eliminados',
    text: 'Ningún código de la papelera tiene este nombre.',
  },
  count: (codes, written) => (codes === 1 ? '1 código' : `${written} códigos`),
  deletedBy: (age, who) => `Eliminado ${age} por ${who}`,
  daysLeft: (days) => (days <= 1 ? 'Queda menos de un día' : `Quedan ${days} días`),
  restore: 'Restaurar',
  restoreOne: (name) => `Restaurar ${name}`,
  restored: (codes, one) =>
    one ? `${codes} restaurado: vuelve a funcionar` : `${codes} restaurados: vuelven a funcionar`,
  purge: 'Eliminar para siempre',
  purgeOne: (name) => `Eliminar ${name} para siempre`,
  purgeTitle: (what) => `¿Eliminar ${what} para siempre?`,
  purgeText: (codes) =>
    `No se puede deshacer. ${them(codes, 'Lo que esté impreso con él no volverá a funcionar, y su enlace corto no se', 'Lo que esté impreso con ellos no volverá a funcionar, y sus enlaces cortos no se')} ${codes === 1 ? 'reutilizará' : 'reutilizarán'} nunca.`,
  purged: (codes) => `${codes} ${isOne(codes) ? 'eliminado' : 'eliminados'} para siempre`,
}

export const deletionWords: typeof EnglishDeletion = {
  title: (what) => `¿Eliminar ${what}?`,
  quoted: (name) => `«${name}»`,
  scanned: (codes, scans, written) =>
    scans === 0
      ? `${them(codes, 'No se ha escaneado', 'No se han escaneado')} en los últimos 30 días.`
      : `${them(codes, 'Se ha escaneado', 'Se han escaneado')} ${scans === 1 ? 'una vez' : `${written} veces`} en los últimos 30 días.`,
  counting: 'Contando los escaneos de los últimos 30 días…',
  notCounted: 'Ahora no se pudieron contar los escaneos de los últimos 30 días.',
  effect: (codes) =>
    `Quien escanee una impresión leerá que ya no ${them(codes, 'funciona', 'funcionan')}. Puede ${them(codes, 'restaurarlo', 'restaurarlos')} desde la papelera durante ${limits.binDays} días. Después ${them(codes, 'desaparece', 'desaparecen')} para siempre.`,
  archiveHint: (codes) =>
    `Para ${them(codes, 'detenerlo', 'detenerlos')} por un tiempo, ${them(codes, 'archívelo: sigue', 'archívelos: siguen')} en su lista, y puede volver a ${them(codes, 'activarlo', 'activarlos')} en cualquier momento.`,
  archive: 'Archivar en su lugar',
  delete: (codes) => `Eliminar ${codes}`,
  type: (written) => `Escriba ${written} para eliminarlos`,
  deleted: (codes) => `${codes} ${isOne(codes) ? 'movido' : 'movidos'} a la papelera`,
}
