import type { tableWords as English } from '../bulk-table-words.ts'
import { isOne } from '../plurals.ts'

const codesOf = (codes: number, written: string) => (codes === 1 ? '1 código' : `${written} códigos`)

/** Spanish. */
export const tableWords: typeof English = {
  title: 'Editar en una tabla',
  codes: codesOf,
  back: 'Todos los códigos',
  none: {
    title: 'No hay códigos que editar',
    text: 'Seleccione códigos en la lista y elija «Editar en una tabla», o suba un archivo CSV que haya descargado aquí.',
    link: 'Ir a la lista',
  },
  columns: {
    name: 'Nombre',
    url: 'Destino',
    folder: 'Carpeta',
    tags: 'Etiquetas',
    look: 'Aspecto',
  },
  cell: (column, name) => `${column} de ${name}`,
  changed: (before) => `Cambiado. Antes: ${before === '' ? 'vacío' : before}`,
  edit: 'Editar',
  openEditor: (name) => `Editar ${name} en el editor`,
  noFolder: 'Sin carpeta',
  ownLook: 'Aspecto propio',
  plainLook: 'Sencillo',
  hint: 'Intro pasa a la fila siguiente, Esc recupera el valor anterior. Una columna pegada desde una hoja de cálculo rellena las filas de abajo.',
  tools: 'Cambiar todos los códigos',
  toolNames: {
    replace: 'Buscar y reemplazar',
    utm: 'UTM',
    folder: 'Carpeta',
    tags: 'Etiquetas',
    look: 'Aspecto',
    csv: 'CSV',
  },
  replace: {
    find: 'Buscar en los destinos',
    replace: 'Reemplazar por',
    ignoreCase: 'Ignorar mayúsculas y minúsculas',
    apply: (codes, written) => `Reemplazar en ${codesOf(codes, written)}`,
    none: 'Ningún destino contiene este texto.',
    start:
      'Escriba una parte de las direcciones, como el nombre del sitio. Verá cada cambio antes de guardar nada.',
  },
  utm: {
    template: 'Plantilla',
    noTemplate: 'Valores propios',
    fields: {
      source: 'Fuente',
      medium: 'Medio',
      campaign: 'Campaña',
      term: 'Término',
      content: 'Contenido',
    },
    hint: '{name}, {shortCode} y {folder} representan los de cada código.',
    existing: 'Valores UTM existentes',
    modes: { replace: 'Reemplazar', keep: 'Mantener' },
    apply: (codes, written) => `Añadir a ${codesOf(codes, written)}`,
    none: 'Ningún destino cambia.',
    start: 'Elija una plantilla o escriba un valor.',
    templateName: 'Nombre de la plantilla',
    save: 'Guardar como plantilla',
    saved: (name) => `Plantilla ${name} guardada`,
    update: 'Actualizar plantilla',
    updated: (name) => `Plantilla ${name} actualizada`,
    delete: 'Eliminar plantilla',
    deleted: (name) => `Plantilla ${name} eliminada`,
  },
  folder: { choose: 'Carpeta para todos', apply: 'Asignar carpeta' },
  tags: {
    add: 'Añadir etiquetas',
    remove: 'Quitar etiquetas',
    hint: 'Separe las etiquetas con comas.',
    apply: 'Cambiar etiquetas',
  },
  look: { choose: 'Aspecto para todos', apply: 'Asignar aspecto' },
  csv: {
    text: 'Descargue la tabla, edítela en una hoja de cálculo y vuelva a subirla. Las filas se reconocen por el ID, o por el código corto y el dominio.',
    download: 'Descargar como CSV',
    upload: 'Subir CSV',
    forImportText:
      'Para crear estos códigos en otro lugar, descargue un archivo que una importación puede leer. Las reglas, el acceso y el aspecto no están en él.',
    forImport: (type) => `Para una importación: ${type}`,
    leftOut: (codes, written) =>
      codes === 1
        ? '1 código no está en el archivo: no cabe entero en columnas.'
        : `${written} códigos no están en el archivo: no caben enteros en columnas.`,
    fileName: 'codigos.csv',
    title: 'Cambios del archivo',
    apply: (changes, written) =>
      changes === 1 ? 'Pasar 1 cambio a la tabla' : `Pasar ${written} cambios a la tabla`,
    noChanges: 'El archivo no cambia nada.',
    problems: (problems, written) =>
      problems === 1 ? '1 celda o fila no se puede usar:' : `${written} celdas o filas no se pueden usar:`,
    row: (row, what) => `Fila ${row}: ${what}`,
    noKey: 'La primera fila necesita una columna «id» o «shortCode».',
    unreadable: 'No es un archivo CSV legible. Guarde primero la hoja como CSV.',
    tooLarge: (rows) => `El archivo es demasiado grande: ${rows} códigos como máximo.`,
    unknownCode: (key) => `aquí ningún código se llama ${key}`,
    missingKey: 'no tiene ID ni código corto',
    twice: 'su código ya está en una fila anterior',
    notALink: 'este código no tiene un destino que cambiar',
    unknownFolder: (name) => `no hay ninguna carpeta ${name}`,
    unknownLook: (name) => `no hay ningún estilo guardado ${name}`,
  },
  preview: {
    label: 'Cambios',
    count: (changes, written) => (changes === 1 ? '1 destino cambia:' : `${written} destinos cambian:`),
    cells: (changes, written) => (changes === 1 ? '1 celda cambia:' : `${written} celdas cambian:`),
    more: (written) => `y ${written} más`,
    before: 'antes',
    after: 'después',
    empty: 'vacío',
  },
  bad: {
    name: 'Hace falta un nombre.',
    nameLong: (chars) => `${chars} caracteres como máximo.`,
    tagLong: (chars) => `Una etiqueta puede tener ${chars} caracteres como máximo.`,
    tagsMany: (tags) => `${tags} etiquetas como máximo.`,
  },
  unsaved: (cells, written) =>
    cells === 0 ? 'Sin cambios' : cells === 1 ? '1 celda cambiada' : `${written} celdas cambiadas`,
  discard: 'Descartar',
  discarded: 'Cambios descartados',
  pasteProblem: (name, why) => `No se ha pegado en ${name}: ${why}`,
  save: (codes, written) => `Guardar ${codesOf(codes, written)}`,
  nothing: 'Guardar',
  fix: (cells, written) => (cells === 1 ? 'Corrija antes 1 celda' : `Corrija antes ${written} celdas`),
  done: (codes) => `${codes} ${isOne(codes) ? 'cambiado' : 'cambiados'}`,
  undone: 'Deshecho',
  left: (rows, written) =>
    rows === 1
      ? '1 código no se guardó. Su fila dice por qué.'
      : `${written} códigos no se guardaron. Sus filas dicen por qué.`,
  conflict: {
    text: 'Alguien ha modificado este código desde que usted lo abrió.',
    theirs: 'Tomar la otra versión',
    mine: 'Mantener la mía',
    now: (column, value) => `${column}, ahora: ${value === '' ? 'vacío' : value}`,
  },
  gone: { text: 'Este código se ha eliminado.', remove: 'Quitar fila' },
}
