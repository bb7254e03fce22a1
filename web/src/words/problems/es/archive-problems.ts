import type { archiveProblems as english } from '@everscan/contract/problems/archive-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** Spanish. */
export const archiveProblems = {
  organizationNotEmpty: 'Un archivo comprimido solo llena una organización vacía, y en esta ya hay algo.',
  importNotEnded: 'Esta organización tiene una importación sin terminar. Espere a que termine.',
  organizationChangedNow: 'La organización de esta instalación acaba de cambiar. Inténtelo de nuevo.',
  linesNotTaken:
    'Líneas del archivo que no se pueden tomar: {count}. No se ha escrito nada. Repítalo con leaveOut=true para importar el resto.',

  archiveLines: '{max} líneas como máximo, sin contar las de visitas (archiveLinesMax).',
  archiveFolders: '{max} carpetas como máximo (archiveFoldersMax).',
  archiveStyles: '{max} estilos como máximo (archiveStylesMax).',
  archiveTags: '{max} etiquetas distintas como máximo (archiveTagsMax).',
  archiveRefusals: '{max} líneas que no se pueden tomar como máximo (archiveRefusalsMax).',
  archiveSeconds: 'La lectura dura {max} segundos como máximo (archiveSecondsMax).',
  archiveHeap: '{max} MB de contenido en memoria como máximo al comprobar (archiveHeapMegabytesMax).',

  notZip: 'Debe ser un archivo zip completo.',
  zipFileDamaged: 'Debe ser un archivo zip completo; {file} está dañado.',
  zipUnpacksTooLarge: '{max} GiB como máximo una vez descomprimido.',
  archiveLineTooLong: 'Una línea tiene {max} MiB como máximo; la línea {line} de {file} es más larga.',
  notArchive: 'Debe ser el archivo de una organización, con organization.json dentro.',
  aboutUnreadable: 'No se puede leer su organization.json: {field}.',
  aboutWithoutTimes: 'Su organization.json no tiene horas válidas.',
  aboutWithStrangeLogo: 'Su organization.json tiene un logotipo que Everscan no guarda.',
  archiveTooNew: 'Es del formato {got}, y esta versión lee hasta {max}. Actualice primero Everscan.',

  notJsonObject: 'Esto no es un objeto JSON.',
  tooManyInOrganization: 'Una organización tiene {max} como máximo.',
  notTopFolder: 'Esto no es una carpeta del nivel superior.',
  nameOfSibling: 'Otra carpeta al lado ya tiene este nombre.',
  otherDefaultStyle: 'Otro estilo es el predeterminado.',
  otherDefaultDomain: 'Otro dominio es el predeterminado.',
  ofEarlierLine: 'Esto ya está en una línea anterior.',
  codeOfEarlierLine: '«{shortCode}» ya está en una línea anterior.',
  notStoredLogo: 'Esto no es un logotipo como los que guarda Everscan.',
  noDomainOfArchive: 'Esto no es un dominio del archivo.',
  noFolderOfArchive: 'Esto no es una carpeta del archivo.',
  noCodeOfArchive: 'Esto no es un código del archivo.',
  hitsOfNoCode: 'Esto no es un código del archivo (visitas en este fichero: {count}).',
  notPasswordHash: 'Esto no es un hash Argon2id del tamaño habitual.',
  pictureTooSmall: 'La imagen es demasiado pequeña para la URL corta en este estilo.',
  versionNotBefore: 'Debe ser menor que en la línea anterior.',
  versionTooOld: 'Es más antiguo de lo que alcanza el historial.',

  notScanArray: 'Debe ser una lista de {count} valores.',
  strangeScanValue: 'Ningún escaneo tiene el valor de {column}.',
  closedHitNotOfBot: 'Una visita con isClosed debe ser de la clase «bot».',
  scanInFuture: 'El momento timeMs está en el futuro.',

  scanStoreAway: 'El almacén de escaneos no responde. La importación sigue cuando responda.',
  stepFails:
    'Un paso ha fallado varias veces y se repite cada minuto. La causa está en el registro del servicio.',
  lineRefused: 'Esta línea no se puede tomar: {reason}',
} as const satisfies ProblemWords<typeof english>
