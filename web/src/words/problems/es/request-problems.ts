import type { requestProblems as english } from '@everscan/contract/problems/request-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** Spanish. */
export const requestProblems = {
  noSuchRecord: 'En esta organización no hay nada con este identificador.',
  eventsNotKept:
    'El evento de Last-Event-ID ya no está guardado. Se continúa con el más antiguo que lo está.',
  nothingHere: 'No hay nada en esta dirección.',
  urlNotValid: 'La dirección no es válida.',
  urlEncodingNotValid: 'La ruta de la dirección tiene una codificación con % no válida.',
  methodNotAllowed: 'Este punto de acceso acepta {allowed}, no {method}.',
  formatsRefused: 'Accept rechaza image/png. Indique otro formato: {formats}.',

  bodyNotJson: 'El cuerpo de la petición no es JSON válido.',
  bodyNotUtf8: 'El cuerpo de la petición no es UTF-8 válido.',
  bodyEmpty: 'La petición está vacía; se esperaba JSON.',
  bodyTooLarge: 'La petición es mayor de lo que acepta este punto de acceso.',
  bodyOfOtherLength: 'La longitud de la petición no coincide con la cabecera Content-Length.',
  bodyEncoded: 'La petición no debe estar codificada (Content-Encoding: {encoding}). Envíela tal como es.',
  contentTypeMissing: 'Falta la cabecera Content-Type.',
  contentTypeNotJson: 'La petición debe ser JSON, con la cabecera Content-Type: application/json.',
  contentTypeNotForm:
    'La petición debe ser un formulario con un archivo, con la cabecera Content-Type: multipart/form-data.',
  messagesInBatch: 'No se aceptan lotes: envíe cada mensaje por separado.',

  formNotValid: 'El formulario está incompleto o no es multipart/form-data válido.',
  formFieldUnknown: 'El formulario tiene un campo desconocido.',
  formTooLong: 'El formulario tiene {max} campos como máximo.',
  fileTooLarge: 'El archivo tiene más de {maxMb} MB. Divídalo y envíe las partes una tras otra.',
  notFile: 'Debe ser un archivo con un nombre.',
  fieldNotJson: 'Debe ser JSON.',

  emptyWithout: 'Esto es obligatorio sin «{field}».',
  tooManyTogether: '{max} valores como máximo junto con «{field}».',
  inBodyOrQuery: 'Debe estar en el cuerpo de la petición o en su dirección, no en ambos.',
  filterOfWaiting: 'Esto no es posible con waiting=true, que solo admite domainId, page y limit.',
  idempotencyKeyForm: 'De 1 a {max} caracteres ASCII visibles.',
  idempotencyKeyUsed: 'Este Idempotency-Key se usó para otra petición. Use uno nuevo.',

  replayedDays: '{max} días como máximo; el período más largo posible empieza el {start}.',
  replayedScans: ({ max, start }) =>
    `${max.toLocaleString('es')} escaneos como máximo; el período más largo posible empieza el ${start}.`,
  replayedTime:
    'Como máximo lo que se puede leer en {seconds} s; el período más largo posible empieza el {start}.',
  pictureTooLarge:
    'La imagen tiene {bytes} bytes, y una herramienta devuelve {max} como máximo. Elija un tamaño menor o el formato «png», o descárguela de su imageUrl.',
  requestTookTooLong: 'La petición ha tardado demasiado. Inténtelo de nuevo en un momento.',
  scanStoreUnavailable: 'El almacén de escaneos no está disponible ahora. Inténtelo de nuevo en un momento.',
  catalogueUnavailable: 'El catálogo no está disponible ahora. Inténtelo de nuevo en un momento.',
  internalError:
    'El servicio ha tenido un fallo inesperado. Inténtelo de nuevo; si se repite, avise al operador.',
  clientGone: 'La conexión terminó antes de que se procesara la petición.',
  noSuchTool: 'No hay ninguna herramienta con este nombre: vea tools/list.',
  mailNotSent: 'No se pudo enviar el correo. Inténtelo de nuevo en un momento.',
} as const satisfies ProblemWords<typeof english>
