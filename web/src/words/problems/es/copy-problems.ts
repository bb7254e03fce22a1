import type { copyProblems as english } from '@everscan/contract/problems/copy-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** Spanish. */
export const copyProblems = {
  backupDirMissing:
    'La carpeta {dir} de BACKUP_DIR no existe. Móntela o créela para el usuario del servicio.',
  backupDirNoFolder: 'BACKUP_DIR {dir} no es una carpeta. Indique una carpeta.',
  backupDirUnwritable: 'El usuario del servicio no puede escribir en {dir} de BACKUP_DIR. Permítaselo.',
  passphraseFileUnreadable:
    'El archivo {path} de BACKUP_PASSPHRASE_FILE no se puede leer. Hasta entonces no se hacen copias, porque no estarían cifradas.',
  copyAbandoned:
    'El proceso que la hacía en {machine} terminó antes. Lea el registro y compruebe la memoria de la máquina.',
  copyDiffers: 'La copia restaurada es distinta: {difference}.',
  copyCommandFailed: 'El comando dice: {reason}.',
  copyNotMade: ({ last, ...values }, sayOther) =>
    `No se hizo ninguna copia de seguridad. ${sayOther(last, values)}`,
  copyNotVerified: ({ copy, last, ...values }, sayOther) =>
    `La copia ${copy} no se pudo verificar. ${sayOther(last, values)}`,
  copyFailed: 'La última copia de seguridad falló. La causa está en el registro del servicio.',
  copyLacksScans: ({ hits, firstDay, lastDay, writer, scans, machines, damagedBytes }) => {
    const lacks = [
      ...(hits > 0
        ? [`escaneos ${period(firstDay, lastDay)}: ${hits}${writer === '' ? '' : ` (de ${writer})`}`]
        : []),
      ...(scans > 0 ? [`escaneos de otras máquinas que no llegaron: hasta ${scans}`] : []),
      ...(machines === '' ? [] : [`quizá escaneos de ${machines}`]),
      ...(damagedBytes > 0 ? [`bytes dañados de los diarios de esta máquina: ${damagedBytes}`] : []),
    ]
    return `A la última copia de seguridad le faltan datos: ${lacks.join('; ')}. Compruebe que todas las máquinas funcionan y llegan al almacén de escaneos. Sobre los escaneos perdidos, ./everscan doctor dice más.`
  },
  copyMissing: ({ hours }) =>
    `Desde hace ${span(hours)} no se ha hecho ninguna copia de seguridad. La causa está en el registro del servicio.`,
  copyOld: ({ hours, everyHours }) =>
    `La última copia de seguridad es de hace ${span(hours)}, y toca una cada ${everyHours} h. La causa está en el registro del servicio.`,
  copyUnverified: ({ hours }) =>
    `Desde hace ${span(hours)} no se ha verificado ninguna copia de seguridad. La causa está en el registro del servicio.`,
  copyHasFewer:
    'La copia tiene menos escaneos que {before}, y RETENTION_DAYS no los eliminó. Faltan: {hits}. Conserve la anterior hasta saber por qué.',
  copiesNotScheduled: 'No hay copias de seguridad programadas. Configure BACKUP_DIR.',
} as const satisfies ProblemWords<typeof english>

const span = (hours: number) => (hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} días`)
const period = (first: string, last: string) => (first === last ? `del ${first}` : `del ${first} al ${last}`)
