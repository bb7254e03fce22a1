import type { importsWords as English } from '../imports-words.ts'
import { isOne } from '../plurals.ts'

const agreed = (amount: string, participle: string) => `${amount} ${participle}${isOne(amount) ? '' : 's'}`

/** Spanish. */
export const importsWords: typeof English = {
  title: 'Importar',
  text: 'Cree muchos códigos de una vez desde una hoja de cálculo: un archivo xlsx o CSV.',
  viewer: 'Para importar necesita el rol de editor. Aquí se muestran las importaciones anteriores.',
  drop: 'Suelte aquí un archivo xlsx o CSV',
  choose: 'o elija uno',
  dropHint: (rows, megabytes) => `Hasta ${rows} filas y ${megabytes} MB.`,
  another: 'Elegir otro archivo',
  size: {
    kilobytes: (written) => `${written} KB`,
    megabytes: (written) => `${written} MB`,
  },
  problems: {
    tooLarge: (megabytes) =>
      `Este archivo ocupa más de ${megabytes} MB. Divídalo e importe las partes una a una.`,
    oldWorkbook: 'Es un archivo antiguo de Excel (xls). Guárdelo como xlsx o CSV, y suelte aquí ese archivo.',
    empty: 'Este archivo está vacío. Su primera fila debe nombrar las columnas: vea las plantillas de abajo.',
    unreadable: 'Este archivo no es un CSV válido. ¿Falta alguna comilla (")?',
  },
  type: 'Tipo de los códigos',
  typeGuessed: 'Reconocido por las columnas del archivo.',
  style: 'Estilo',
  defaultStyle: 'Estilo predeterminado',
  folder: 'Carpeta',
  noFolder: 'Sin carpeta',
  folderHint: 'Para filas que no indican carpeta.',
  columns: 'Columnas',
  inFile: 'En su archivo',
  firstValues: 'Primeros valores',
  becomes: 'Pasa a ser',
  columnOf: (name) => `Pasa a ser, para «${name}»`,
  chooseColumn: 'Elegir…',
  ignore: 'Ignorar esta columna',
  extraField: (key) => `Campo adicional «${key}»`,
  required: '* Obligatorio.',
  repeatedColumn: 'Otra columna pasa a ser lo mismo.',
  noName: '(sin nombre)',
  unknownColumns: (columns) =>
    columns === 1
      ? 'Indique qué es la columna marcada, o ignórela.'
      : `Indique qué son las ${columns} columnas marcadas, o ignórelas.`,
  ignoreUnknown: (columns) => (columns === 1 ? 'Ignorarla' : `Ignorar las ${columns}`),
  missingColumns: (type, names) =>
    `«${type}» necesita también: ${names}. Elija la columna que lo contiene, o elija otro tipo arriba.`,
  checking: 'Comprobando cada fila. Aún no se ha creado nada.',
  allFine: (rows, written) =>
    rows === 1
      ? 'La fila es válida. Aún no se ha creado nada.'
      : `Las ${written} filas son válidas. Aún no se ha creado nada.`,
  noRows: 'No hay filas debajo de los nombres de las columnas.',
  someFine: (fine, wrong, written) =>
    `Válidas: ${fine}. ${wrong === 1 ? '1 fila tiene' : `${written} filas tienen`} un problema. Corrija lo que quiera conservar: el resto se omite.`,
  noneFine: 'Ninguna fila se puede importar tal como está. Corrija las filas de abajo.',
  rows: (rows, written) => (rows === 1 ? '1 fila' : `${written} filas`),
  start: (codes) => `Importar ${codes}`,
  codes: (codes, written) => (codes === 1 ? '1 código' : `${written} códigos`),
  errors: {
    title: 'Filas con problemas',
    hint: 'Escriba aquí los valores correctos: no hace falta cambiar el archivo. Intro pasa al siguiente.',
    line: (written) => `Fila ${written}`,
    tooLong: 'Es demasiado larga para corregirla aquí: descárguela.',
    showMore: (written) => `Mostrar más (${written})`,
    more: (written) => `y ${written} más, todas en la descarga`,
    checkAgain: 'Comprobar de nuevo',
    discard: 'Descartar mis cambios',
    importRepaired: (rows) =>
      rows === 1 ? 'Importar 1 fila corregida' : `Importar ${rows} filas corregidas`,
    download: 'Descargar estas filas',
  },
  job: {
    back: 'Importar otro archivo',
    pending: 'Esperando para empezar…',
    running: (done, of) => `Filas: ${done} de ${of}`,
    progress: 'Progreso de la importación',
    cancel: 'Detener la importación',
    cancelTitle: '¿Detener esta importación?',
    cancelText: 'Los códigos ya creados se quedan. Las filas restantes no se importan.',
    checked: (rows) => `Solo comprobación: ${agreed(rows, 'válida')}`,
    validRows: (rows) => agreed(rows, 'válida'),
    faulty: (rows) => `${rows} con problemas`,
    checkStopped: (rows) => `Comprobación detenida: ${agreed(rows, 'válida')}`,
    nothingMade: 'No se ha creado ningún código.',
    showRepaired: 'Mostrarla',
    completed: (codes) => agreed(codes, 'importado'),
    rejected: (rows) => agreed(rows, 'omitida'),
    cancelled: (codes) => `Detenida después de ${codes}`,
    failed: 'Esta importación ha fallado',
    show: 'Mostrar los códigos',
    noFile: 'Archivo sin nombre',
  },
  templates: 'Plantillas',
  templatesText: 'Un archivo con las columnas correctas y una fila de ejemplo, para cada tipo de código.',
  template: (type) => `Plantilla para ${type}`,
  history: 'Importaciones anteriores',
  noHistory: 'Aquí aparecerán sus importaciones.',
  statuses: {
    PENDING: 'En espera',
    PROCESSING: 'En curso',
    COMPLETED: 'Terminada',
    FAILED: 'Fallida',
    CANCELLED: 'Detenida',
  },
  checked: 'Solo comprobación',
  repairOf: 'Corrige una importación anterior',
}
