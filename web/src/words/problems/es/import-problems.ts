import type { importProblems as english } from '@everscan/contract/problems/import-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** Spanish. */
export const importProblems = {
  moveNotEnded: 'El traslado no ha terminado. Compare cuando todos los enlaces estén aquí.',
  moveWithoutLinks: 'Este traslado no tiene enlaces que comparar.',
  linksWaitForDomain:
    'Los enlaces de este traslado esperan a que {hostname} esté verificado. Cree primero su registro TXT.',
  oldServiceMissing: 'El archivo no tiene URL cortas. Indique en qué dirección responde el servicio antiguo.',
  fileWithoutRows: 'El archivo no tiene ninguna fila debajo de la que nombra las columnas.',
  columnNotThere: 'El archivo no tiene la columna «{column}».',
  columnTwice: 'El archivo tiene dos veces la columna «{column}».',
  unnamedColumnTwice: 'El archivo tiene dos columnas sin nombre.',
  columnMissing: 'Falta la columna «{column}».',
  strangeColumn: 'La columna «{column}» no existe para {type}.',
  strangeMetadataColumn:
    'La columna «{column}» tiene un nombre de campo adicional que no tiene de 1 a 50 caracteres.',
  unnamedColumn: 'El archivo tiene una columna sin nombre, que no existe para {type}.',
  repairBeyond: 'El archivo no tiene la fila {row}, sino {rows} filas.',
  noSuchImport: 'Esta importación no existe en esta organización: «{got}».',
  tooManyCells: 'La fila tiene más celdas que columnas tiene el archivo.',
  tooManyBytes: '{max} bytes como máximo.',
  sameCodeInLine: '«{shortCode}» está también en la fila {line}. Elija otro.',
  domainNotProved: '«{hostname}» aún no está verificado. Cree primero su registro TXT.',
  notOwnDomain: 'Debe ser un dominio verificado de esta organización, o «{publicHost}».',
  notDateOrTime: 'Escriba una fecha o una hora, como 2026-01-31 o 2026-01-31T09:30:00Z.',
  inFuture: 'Este momento no debe estar en el futuro.',
  before1970: 'Este momento no debe ser anterior a 1970.',
  sameCodeAsLine: '«{shortCode}» está también en la fila {line}. Elija otro.',
  codeAssignedHere: '«{shortCode}» ya está ocupado aquí. Elija otro.',
  domainGone: 'El dominio {hostname} ya no existe.',

  fileEmpty: 'El archivo está vacío; su primera fila debe nombrar las columnas.',
  tooManyColumns: 'Un archivo tiene {max} columnas como máximo.',
  tooManyRows: '{max} filas como máximo. Divida el archivo y envíe las partes una tras otra.',
  fileNotText:
    'Debe ser un archivo CSV, pero esto no es texto (contiene bytes cero). Exporte la hoja de cálculo como CSV.',
  mixedEncodings: 'El archivo empieza como {encoding} y sigue en otra codificación. Guárdelo como UTF-8.',
  quoteNotClosed: 'Unas comillas no se cierran nunca, en la fila que empieza en la línea {line}.',
  rowTooLong: 'La fila que empieza en la línea {line} tiene más de {max} MiB.',
  notCsv: 'El archivo no se puede leer como CSV: {reason}.',
  notSheetFile: 'Debe ser un archivo CSV o xlsx, no {got}.',
  oldWorkbook: 'Es un libro antiguo (xls). Guárdelo como xlsx o CSV.',
  notWorkbook: 'Esto no se puede leer como libro. Guárdelo de nuevo como xlsx, o como CSV.',
  sheetTooLarge:
    'La hoja es demasiado grande: descomprimido, un archivo puede tener {max} MB. Guarde la hoja como CSV.',
  sheetWithTooMuchText:
    'Las celdas de la hoja tienen más de {max} MB de texto. Divídala y suba las partes una tras otra.',
  importEnded: 'Esta importación ya ha terminado ({status}) y no se puede cancelar.',
  rowsNotImported: 'Las filas restantes no se pudieron importar. La causa está en el registro del servicio.',

  fileWithoutLinks: 'El archivo no tiene enlaces.',
  jsonWithoutLinks: 'El archivo no tiene una lista de enlaces.',
  notJson: 'El archivo no se puede leer como JSON.',
  jsonTooLarge: 'Un archivo JSON tiene {max} MB como máximo. Divídalo o exporte los enlaces como CSV.',
  tooManyVisits: '{max} visitas como máximo.',
  fileWithoutVisits: 'El archivo no tiene visitas. Omítalo si no hay ninguna.',
  mappingNotJson: 'Debe ser JSON.',
  mappingNotObject: 'Debe ser un objeto de campos.',
  tooManyLinksToLookAt:
    'Se miran los destinos de {max} enlaces como máximo, y el archivo tiene {got}. Omítalo o divida el archivo.',
  linksNotMoved: 'Los enlaces restantes no se pudieron trasladar. La causa está en el registro del servicio.',
  visitsNotMoved:
    'Las visitas restantes no se pudieron trasladar. La causa está en el registro del servicio.',
} as const satisfies ProblemWords<typeof english>
