import type { contentProblems as english } from '@everscan/contract/problems/content-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** Spanish. */
export const contentProblems = {
  longerThan: '{max} caracteres como máximo.',
  blank: 'Este campo es obligatorio.',
  requiredWith: 'Esto es obligatorio junto con {field}.',
  noSuchTime: 'Este momento no existe: {got}.',

  urlWithSpaces: 'Una dirección no tiene espacios. Escriba %20 en su lugar.',
  urlWithBackslash: 'Una dirección web no tiene barra invertida (\\).',
  notHttp: 'Esto no es una dirección web. Empieza por http:// o https://.',
  notHttps: 'La dirección debe empezar por https://.',
  hostIsPrivate: 'La dirección debe ser pública, y «{hostname}» es privada.',
  leadsBackHere: 'Esta dirección vuelve a este servicio ({publicUrl}).',
  leadsBackToDomain: 'Esta dirección vuelve al propio dominio.',
  isThisInstallation: 'Es la dirección de esta instalación.',
  urlWithoutHost: 'A esta dirección le falta el nombre de host.',
  urlWithCredentials: 'Una dirección no debe tener nombre de usuario ni contraseña.',
  notUrl: 'Esto no es una dirección web válida.',
  urlWithNumber:
    'Indique un nombre de host o escriba la dirección como cuatro números decimales: los navegadores irían a {address}.',
  urlTooLongEncoded: '{max} caracteres como máximo, con los caracteres especiales escritos con %.',

  ssidTooLong: 'El nombre de una red tiene {max} bytes como máximo.',
  passwordOfOpenNetwork: 'Una red abierta no tiene contraseña.',
  wpaPasswordMissing: 'WPA necesita una contraseña. Para una red abierta, elija ninguna seguridad.',
  wpaPasswordLength: 'Una contraseña WPA tiene de 8 a 63 caracteres.',
  noLink: 'Hace falta al menos un enlace.',
  appWithoutUrl: 'Hace falta uno de estos valores: iosUrl, androidUrl, fallbackUrl.',
  menuWithBoth: 'Es posible «url», o «title» con «sections», pero no ambos.',
  menuWithNeither: 'Hace falta «url», o «title» con «sections».',
  menuWithoutTitle: 'Una carta con secciones necesita un título.',
  menuWithoutSections: 'Una carta con título necesita secciones.',
  menuLanguageTwice: 'El idioma «{language}» aparece aquí dos veces.',
  menuLanguageUnknown: '«{language}» no es uno de los otros idiomas de esta carta.',

  shortCodeOfEveryHost: 'El propio servicio lo usa. Elija otro.',
  shortCodeReserved: 'El propio servicio lo usa. Elija otro.',
  shortCodeTaken: '«{shortCode}» ya está ocupado. Elija otro.',

  notHostname: 'Esto no es un nombre de host, como go.example.com.',
  hostnameIsAddress: 'Debe ser un nombre de host, no una dirección IP.',
  hostnameWithoutDot: 'Aquí un nombre de host tiene un punto, como go.example.com.',
  hostnameOfPublicUrl: 'Es el host de PUBLIC_URL. Elija otro.',
  hostnameOfOneNetwork:
    'Debe ser un nombre que Internet conozca. Con PRIVATE_DOMAINS=true también valen .internal, .local y .lan.',
  hostnameIsSuffix: 'Debe ser un nombre bajo un sufijo público: nadie tiene un sufijo entero.',
  notPunycode: 'Escriba el nombre en minúsculas y en punycode.',
  hostnameForm: 'Un nombre de host tiene letras, cifras y «-» entre puntos.',

  endsBeforeItStarts: 'El final debe ser posterior al comienzo ({startsAt}).',
  endsAtNotLater: 'El final debe ser posterior al comienzo.',
  closedUrlOrMessage: 'Hace falta una dirección o un texto, no ambos.',

  ruleIdTwice: 'Otra regla ya tiene este identificador.',
  noSuchRuleId: 'Este código no tiene ninguna regla con este identificador. Omítalo.',
  armNameTwice: 'Este nombre ya se usa aquí.',
  rulesTooLong: 'Las reglas son demasiado largas: {max} caracteres como máximo en JSON, y tienen {got}.',
  dataOrSplit: 'Una regla tiene un contenido o variantes, no ambos.',
  noSuchCountry: '«{got}» no es un código de país ISO 3166-1.',
  noSuchRegion: '«{got}» no es un código ISO 3166-2, como ES-CT.',
  noSuchLanguage: '«{got}» no es un código de idioma BCP 47.',
  noSuchOs: '«{got}» no es un sistema operativo como lo nombran las estadísticas, como iOS.',
  noSuchBrowser: '«{got}» no es un navegador como lo nombran las estadísticas, como Safari.',
  noSuchNetwork: '«{got}» no es una red en notación CIDR, como 203.0.113.0/24.',
  noSuchTimeZone: '«{got}» no es una zona horaria IANA, como Europe/Madrid.',
  fromEqualsTo: 'El comienzo y el final deben ser distintos.',
  timeZoneMissing: 'Los días y las horas necesitan una zona horaria.',

  labelsBeyondPage:
    '{max} como máximo con esta etiqueta: la página tiene {pageMm} mm, menos un margen de {marginMm} mm.',
  labelBeyondPage: '{max} como máximo: la página tiene {pageMm} mm, menos un margen de {marginMm} mm.',
} as const satisfies ProblemWords<typeof english>
