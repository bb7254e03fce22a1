import type { movesWords as English } from '../moves-words.ts'
import { isOne } from '../plurals.ts'

const agreed = (links: string, one: string, other: string) => `${links} ${isOne(links) ? one : other}`

/** Spanish. */
export const movesWords: typeof English = {
  title: 'Trasladar desde otro servicio',
  text: 'Traslade sus enlaces con sus códigos cortos, nombres, etiquetas, fechas y clics hasta ahora. Todo lo impreso sigue funcionando.',
  back: 'Todas las importaciones',
  viewer: 'Para trasladar enlaces necesita el rol de editor. Aquí se muestran los traslados anteriores.',
  offer: {
    title: '¿Viene de otro servicio?',
    text: 'Traslade los enlaces de Bitly, Dub, Kutt, Shlink, YOURLS, Short.io, Rebrandly o cualquier otro producto, con los códigos cortos ya impresos.',
    action: 'Trasladar desde otro servicio',
  },
  products: {
    bitly: 'Bitly',
    dub: 'Dub',
    kutt: 'Kutt',
    shlink: 'Shlink',
    yourls: 'YOURLS',
    shortio: 'Short.io',
    rebrandly: 'Rebrandly',
    csv: 'Otro producto',
  },
  exports: {
    bitly: 'En Bitly, abra «Links» y luego «Export». El archivo CSV llega por correo.',
    dub: 'En Dub, abra «Links» y luego «Export links». Elija short link, destination URL, title, tags, created at y clicks.',
    kutt: 'Kutt no tiene exportación. Guarde las respuestas de su API (/api/v2/links) en un archivo JSON.',
    shlink: 'En el cliente web de Shlink, use «Export» encima de la lista de URL cortas.',
    yourls: 'YOURLS no tiene exportación. Saque la tabla yourls_url de su base de datos, como CSV.',
    shortio: 'En Short.io, exporte los enlaces de un dominio como CSV.',
    rebrandly: 'Rebrandly entrega sus enlaces como JSON (/v1/links). Guárdelos en un solo archivo.',
    csv: 'Un archivo CSV con las columnas shortCode y url y, si las tiene, title, tags, createdAt y clicks.',
  },
  fields: {
    shortCode: 'Código corto',
    destination: 'Destino',
    title: 'Nombre',
    tags: 'Etiquetas',
    createdAt: 'Creado',
    clicks: 'Clics hasta ahora',
  },
  links: (count, written) => (count === 1 ? '1 enlace' : `${written} enlaces`),
  steps: {
    list: 'Pasos del traslado',
    change: 'Cambiar',
    changeLabel: (step) => `Cambiar: ${step}`,
    done: 'Hecho',
    product: '¿En qué servicio están sus enlaces?',
    target: '¿Qué nombre de host está impreso?',
    file: (product) => `La exportación de ${product}`,
    anyFile: 'La exportación del otro producto',
    check: 'Lo que se trasladará',
  },
  target: {
    text: 'Los códigos solo siguen funcionando en el nombre de host con el que se imprimieron.',
    installation: 'La dirección de esta instalación',
    installationText:
      'Para impresiones nuevas, o si el nombre de host antiguo es ahora la dirección de esta instalación.',
    exact:
      'Se distinguen mayúsculas y minúsculas: aBc y abc son dos códigos, como en casi todos los demás productos.',
    canonical:
      'No se distinguen mayúsculas y minúsculas. Si hay códigos que solo se diferencian en eso, solo uno se puede trasladar.',
    pending: 'Los códigos esperan hasta que esté verificado, y antes no responden.',
    prove: (hostname) => `Verificar ${hostname}`,
    missing: '¿El nombre de host impreso no está en esta lista?',
    add: 'Añádalo como dominio',
    addText:
      'Indique allí que se distinguen mayúsculas y minúsculas, y verifíquelo. Mientras tanto, sigue respondiendo el servicio antiguo.',
    askAdmin: 'Pida a un administrador que lo añada como dominio, con «Distinguen mayúsculas y minúsculas».',
    hosted: 'Un nombre de host del otro servicio, como bit.ly, no se puede trasladar: no es suyo.',
    loading: 'Buscando sus dominios…',
  },
  file: {
    drop: 'Suelte aquí la exportación',
    choose: 'o elíjala',
    hint: (csv, json, rows) => `CSV de hasta ${csv} MB, o JSON de hasta ${json} MB; hasta ${rows} enlaces.`,
    comes: 'Qué se traslada y qué no',
    problems: {
      tooLarge: (megabytes) =>
        `Este archivo ocupa más de ${megabytes} MB. Divídalo, o use el comando en el servidor.`,
      jsonTooLarge: (megabytes) =>
        `Un archivo JSON puede ocupar hasta ${megabytes} MB. Divídalo, o exporte los enlaces como CSV.`,
      empty: 'Este archivo no tiene enlaces. Su primera fila debe nombrar las columnas.',
      unreadable: 'Este archivo no es CSV ni JSON. ¿Falta alguna comilla (")?',
      workbook: 'Es un libro de Excel. Guárdelo como CSV y suelte aquí ese archivo.',
    },
  },
  visits: {
    title: 'Visitas una por una',
    hint: 'Un segundo archivo, si lo tiene: el registro de YOURLS o las visitas de Shlink. Las visitas de los enlaces trasladados se convierten en escaneos.',
    choose: 'Elegir el archivo de visitas',
    remove: 'No enviarlo',
    can: (scans, written) =>
      scans === 1
        ? '1 visita se puede convertir en escaneo'
        : `${written} visitas se pueden convertir en escaneos`,
    came: (scans, written) =>
      scans === 1 ? '1 visita se convirtió en escaneo' : `${written} visitas se convirtieron en escaneos`,
    bots: (bots, written) => (bots === 1 ? '1 era de un bot' : `${written} eran de bots`),
    skippedCheck: (written) => `${written} no`,
    skipped: (written) => `${written} sin trasladar`,
    columns: 'Columnas de las visitas',
    fields: {
      code: 'Enlace',
      time: 'Hora',
      userAgent: 'Navegador y sistema',
      referrer: 'Procedencia',
      country: 'País',
      region: 'Región',
      city: 'Ciudad',
      bot: 'Bot o no',
    },
    unreadable: 'Visitas que no se pueden leer',
    running: (done, of) => `${done} de ${of} visitas`,
  },
  columns: {
    title: 'Columnas',
    text: 'Reconocidas por sus nombres. Cambie lo que no sea correcto.',
    field: 'Aquí',
    inFile: 'Columna del archivo',
    firstValue: 'Primer valor',
    columnOf: (field) => `Columna para «${field}»`,
    none: 'Ninguna columna',
    choose: 'Elegir…',
    both: (first, second) => `${first}, o si no, ${second}`,
    missing: (field) => `Todos los enlaces lo necesitan: elija la columna para «${field}».`,
  },
  preview: {
    title: 'Los primeros enlaces, como quedarán',
    cannot: 'No se puede trasladar',
    noCode: '(sin código corto)',
    clicks: (clicks, written) => (clicks === 1 ? '1 clic hasta ahora' : `${written} clics hasta ahora`),
    leadsTo: 'lleva a',
  },
  check: {
    resolve: 'Visitar cada destino',
    resolveHint:
      'El servicio abre cada destino y señala los que no tienen página. Tarda cerca de un segundo por cada cinco enlaces de un mismo sitio web.',
    action: 'Comprobar todos los enlaces',
    looking: (done, of) => `Visitando destinos: ${done} de ${of}. No se crea nada.`,
    text: 'La comprobación lee todo el archivo. No se crea nada.',
    sending: (share) => `Enviando el archivo: ${share}`,
    checking: (done, of) => `Comprobando enlaces: ${done} de ${of}. No se crea nada.`,
    allFine: (links, written) =>
      links === 1
        ? 'El enlace se puede trasladar. Aún no se ha creado nada.'
        : `Los ${written} enlaces se pueden trasladar. Aún no se ha creado nada.`,
    someFine: (fine, wrong) =>
      `${agreed(fine, 'se puede', 'se pueden')} trasladar, ${wrong} no. Aún no se ha creado nada.`,
    noneFine: 'Ningún enlace se puede trasladar tal como está.',
    exact:
      'La mayoría de estos códigos encajan en un dominio que distingue mayúsculas y minúsculas. Elija o añada uno en el paso «¿Qué nombre de host está impreso?».',
    start: (links) => `Trasladar ${links}`,
    progress: 'Progreso de la comprobación',
  },
  problems: {
    title: 'Enlaces que no se pueden trasladar',
    titleAfter: 'Enlaces que no se pudieron trasladar',
    warnings: 'Destinos sin página',
    warningsText: 'Estos enlaces se trasladan de todos modos. Más adelante puede cambiar aquí sus destinos.',
    line: (written) => `Fila ${written}`,
    more: (written) => `Mostrar ${written} más`,
    beyond: (written) => `y ${written} más, todos en la descarga`,
    download: 'Descargarlos con los motivos',
  },
  job: {
    back: 'Trasladar otros enlaces',
    running: (done, of) => `Enlaces: ${done} de ${of}`,
    progress: 'Progreso del traslado',
    cancel: 'Detener el traslado',
    cancelTitle: '¿Detener este traslado?',
    cancelText: 'Los enlaces que ya están aquí se quedan. Los demás no se trasladan.',
    leave: 'Puede salir de esta página. El traslado continúa.',
    completed: (links) => agreed(links, 'trasladado', 'trasladados'),
    checked: (links) => `Comprobación: ${agreed(links, 'se puede', 'se pueden')} trasladar`,
    refused: (links) => agreed(links, 'sin trasladar', 'sin trasladar'),
    refusedCheck: (links) => `${links} no`,
    cancelled: (links) => `Detenido después de ${links}`,
    failed: 'Este traslado ha fallado',
    checkOnly: 'Solo comprobación',
    statuses: {
      PENDING: 'En espera',
      PROCESSING: 'En curso',
      COMPLETED: 'Terminado',
      FAILED: 'Fallido',
      CANCELLED: 'Detenido',
    },
  },
  plan: {
    title: 'Un dominio sin interrupciones',
    steps: [
      [
        'Verificar el dominio',
        'Añádalo con «Distinguen mayúsculas y minúsculas» y cree el registro TXT. Los escaneos siguen llegando al servicio antiguo.',
      ],
      ['Obtener su certificado', 'Antes de cambiar el DNS, para que los teléfonos no muestren avisos.'],
      ['Trasladar los enlaces', 'En esta página: nada cambia para quienes escanean.'],
      ['Comparar', 'Se consultan 200 enlaces en ambos servicios y se muestran los que difieren.'],
      [
        'Cambiar el DNS',
        'Haga que el nombre de host lleve aquí. Conserve la cuenta antigua hasta que esté seguro.',
      ],
    ],
    domains: 'Abrir los dominios',
  },
  next: {
    title: 'Qué viene ahora',
    hosted: (hostname) =>
      `Los escaneos de ${hostname} todavía llegan adonde lleva su DNS. Cuando haya comparado los enlaces, cámbielo: sus registros están en los ajustes.`,
    waits: (hostname) =>
      `Los códigos y sus visitas esperan hasta que ${hostname} esté verificado, y antes no responden. Cree su registro y compare después aquí los enlaces.`,
    installation: 'Imprima códigos nuevos, o haga que los enlaces antiguos lleven a los nuevos.',
    domains: 'Registros que debe crear',
  },
  compare: {
    title: 'Comparar con el servicio antiguo',
    text: (links) =>
      `Comprueba adónde lleva el servicio antiguo en ${links} de este traslado, y si el destino aquí es el mismo. Compare antes de cambiar el DNS. El servicio antiguo puede contar estas consultas como clics.`,
    sample: (written) => `${written} enlaces al azar`,
    all: (links, written) => (links === 1 ? 'el único enlace' : `los ${written} enlaces`),
    baseUrl: 'Dirección del servicio antiguo',
    baseUrlHint: 'Solo si no responde en las URL cortas del archivo, por ejemplo https://old.example.com.',
    start: 'Comparar',
    again: 'Comparar de nuevo',
    running: (done, of) => `Enlaces comparados: ${done} de ${of}`,
    progress: 'Progreso de la comparación',
    allSame: (links, written) =>
      links === 1
        ? 'El enlace lleva a la misma dirección en ambos servicios.'
        : `Los ${written} enlaces llevan a la misma dirección en ambos servicios.`,
    different: (count, of) => `Enlaces que no llevan a la misma dirección: ${count} de ${of}.`,
    failed: 'La comparación ha fallado.',
    list: 'Enlaces que difieren',
    there: 'Servicio antiguo',
    here: 'Aquí',
    noRedirect: 'sin redirección',
    status: (status) => `sin redirección (estado ${status})`,
  },
  history: 'Traslados anteriores',
  noHistory: 'Aquí aparecerán sus traslados.',
}
