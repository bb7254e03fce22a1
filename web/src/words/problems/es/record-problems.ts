import type { recordProblems as english } from '@everscan/contract/problems/record-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** Spanish. */
export const recordProblems = {
  notTogetherWith: ({ fields }) => `Esto no es posible junto con estos campos: ${fields}.`,
  withoutRequired: 'Para esto hace falta {field}.',
  requiredUnless: 'Esto es obligatorio si falta {field}.',

  codeChangedSince: 'El código QR ha cambiado desde la versión de If-Match. Léalo de nuevo.',
  codeChangedMeanwhile: 'Otra petición cambió el código QR. Léalo de nuevo.',
  codeKeepsChanging: 'Otras peticiones no dejan de cambiar el código QR. Inténtelo de nuevo.',
  noSuchVersion: 'Este código QR no tiene la versión {version}, o ya no se conserva.',
  metadataTooLarge: '{max} campos adicionales como máximo; con los existentes serían {count}.',
  shortCodeAssignedNow: 'El código corto «{shortCode}» se acaba de asignar. Inténtelo de nuevo.',
  codeIsLost:
    'El código QR no tiene imagen: otro código tiene el código corto «{shortCode}» en «{hostname}». Elija primero otro código corto.',
  codeWaits:
    'El código QR aún no tiene imagen: espera a que «{hostname}» esté verificado, y una impresión no funcionaría.',
  noSuchStyle: 'Este estilo no existe en esta organización: «{got}».',
  noSuchCode: 'Este código no existe en esta organización.',
  noSuchCodes: 'Estos códigos no existen en esta organización.',
  noUtmValue: 'Hace falta uno de estos valores: {fields}.',

  folderNameTaken: 'Otra carpeta tiene aquí este nombre. Elija otro.',
  folderNamesMeet:
    'Una carpeta dentro de esta tiene el mismo nombre que una del nivel superior. Cambie el nombre de una de ellas y elimine después.',
  folderNotAtTop: 'Debe ser una carpeta del nivel superior: las carpetas tienen un solo nivel debajo.',
  folderInItself: 'Debe ser otra carpeta.',
  folderHasFolders:
    'Esta carpeta contiene carpetas y por eso se queda en el nivel superior: las carpetas tienen un solo nivel debajo.',
  noSuchFolderOrNone: 'Debe ser una carpeta de esta organización, o «none».',

  batchTooLarge: '{max} valores como máximo, y son {got}. Envíelos en varias llamadas.',
  batchRejected: 'No se ha procesado nada: {failed} de {count} no eran posibles.',
  changesNotAlone: 'Esto no es posible junto con «ids» o «updates».',
  requiredWithoutChanges: 'Esto es obligatorio sin «changes».',
  sameCodeAsChange: 'Es el mismo código que en changes[{index}].',

  intervalTooFine: 'Para este período son posibles day, week o month; hour, para {max} días como máximo.',
  tooManyDaysByHour:
    'Para un período de {days} días son posibles day, week o month; hour, para {max} como máximo.',
  tooManyIds: '{max} identificadores como máximo, y son {got}.',
  notDay: '«{got}» no es una fecha ni una hora según ISO 8601.',
  noCalendarDay: 'Esta fecha no existe: «{got}».',
  yearOutside: 'El año debe estar entre {min} y {max}, no «{got}».',
  startAfterEnd: 'El comienzo es posterior al final: «{startDate}» y «{endDate}».',
  startAfterToday: 'Sin final, el comienzo no debe ser posterior a hoy ({today} en {timezone}).',
  notIpAddress: 'Esto no es una dirección IPv4 ni IPv6.',
  moveBeingCompared: 'Esta mudanza se está comparando. Espere a que termine la comparación.',
  webhookDisabled: 'Este webhook está desactivado. Actívelo primero.',
} as const satisfies ProblemWords<typeof english>
