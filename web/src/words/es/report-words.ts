import type { callWords as EnglishCalls, reportWords as English } from '../report-words.ts'

/** Spanish. */
export const reportWords: typeof English = {
  oneOf: (list) => `Valores posibles: ${list}.`,
  oneNeeded: (list) => `La fila necesita uno de estos valores: ${list}.`,
  needed: (column) => `La fila necesita un valor en: ${column}.`,
  oneLink: 'La fila necesita al menos un enlace.',
  yesNo: 'Escriba true o false.',
  number: 'Escriba un número.',
  date: 'Escriba una fecha o una hora, como 2026-01-31 o 2026-01-31T09:30:00Z.',
  past: 'Este momento no debe estar en el futuro.',
  early: 'Este momento no debe ser anterior a 1970.',
  pastTime: 'Este momento debe ser posterior a 1970 y no debe estar en el futuro.',
  taken: (code) => `«${code}» ya está ocupado. Elija otro.`,
  sameCode: (code, line) => `«${code}» está también en la fila ${line}. Elija otro.`,
  reserved: 'El propio servicio lo usa. Elija otro.',
  provedDomain: (host) => `Debe ser un dominio verificado de esta organización, o «${host}».`,
  cells: 'La fila tiene más celdas que columnas tiene el archivo.',
  bytes: (bytes) => `${bytes} bytes como máximo.`,
  entries: (entries) => `${entries} valores como máximo.`,
  clicks: 'Esto no es un número de clics.',
  leadsBack: 'Esta dirección vuelve a este servicio.',
  spaces: 'Una dirección no tiene espacios. Escriba %20 en su lugar.',
  credentials: 'Una dirección no debe tener nombre de usuario ni contraseña.',
  workbook: 'Esto no se puede leer como libro. Guárdelo de nuevo como xlsx, o como CSV.',
  columns: (columns) => `Un archivo tiene ${columns} columnas como máximo.`,
  mailRefused: (addresses) => `El servidor de correo no ha aceptado el correo para ${addresses}.`,
  mailUnread: 'No se han podido leer las cifras.',
  mailOfNoCode: 'No se ha enviado nada: el código de esta vista se ha eliminado.',
  mailLimit: (unsent, addresses, perDay) =>
    `Direcciones sin este correo: ${unsent} de ${addresses}. La organización ha enviado hoy ${perDay} correos de vistas, que es el máximo.`,
  mailStopped:
    'No se envió nada: el operador de esta instalación ha detenido los correos de su organización.',
  mailAccountWaits:
    'El resto espera a mañana: quien configuró el correo ha alcanzado el máximo de correos por día.',
  mailInstallationWaits:
    'El resto espera a mañana: esta instalación ha alcanzado su máximo de correos por día.',
  mailTried: (attempts) => `Intentos: ${attempts}.`,
  mailTriedAgain: 'Se intentará de nuevo.',
}

export const callWords: typeof EnglishCalls = {
  unresolved: 'No se puede resolver el nombre del host.',
  refused: 'El host rechazó la conexión.',
  brokenOff: 'El receptor interrumpió la conexión.',
  unreachable: 'No se puede llegar al host.',
  stopping: 'La llamada se interrumpió, porque el servicio se está deteniendo.',
  notHttp: 'La respuesta no era HTTP.',
  notPublic: (host) => `${host} no lleva a una dirección pública.`,
  tls: (code) => `La conexión TLS falló: ${code}.`,
  failed: (cause) => `La llamada falló: ${cause}.`,
  late: (seconds) => `No hubo una respuesta completa en ${seconds} s.`,
  silent: (seconds) => `No hubo respuesta en ${seconds} s.`,
  answered: (status) => `El receptor respondió ${status}.`,
  redirected: (status) => `El receptor respondió ${status}, y no se siguen las redirecciones.`,
  page: (status) => `La página responde ${status}.`,
  noAddress: 'Esto no es una dirección web.',
  noEvent: 'El evento ya no se conserva.',
  noSecret:
    'No se puede leer el secreto de firma, porque SECRET del servicio ha cambiado. Sustituya el secreto.',
  notMade: 'No se pudo hacer la entrega.',
  inARow: (calls, last) => `Llamadas fallidas seguidas: ${calls}. La última: ${last}`,
  noAnswer: (host, last) => `${host} no responde: ${last}`,
}
