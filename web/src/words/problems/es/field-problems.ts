import type { fieldProblems as english } from '@everscan/contract/problems/field-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'
import { unquoted } from '../values.ts'

/** Spanish. */
export const fieldProblems = {
  severalProblems: '{count} valores no son correctos.',
  required: 'Este campo es obligatorio.',
  unknownField: 'Este campo no existe.',
  unknownParameter: 'Este parámetro no existe.',
  wrongType: ({ expected }) => typeWords(expected),
  wrongSecretType: ({ expected }) => typeWords(expected),
  givenTwice: 'Esto solo se puede indicar una vez.',
  notAmong: ({ allowed }) => `Valores posibles: ${unquoted(allowed)}.`,
  notExactly: ({ expected }) => `El único valor posible: ${unquoted(expected)}.`,
  tooSmall: '{min} como mínimo.',
  tooLarge: '{max} como máximo.',
  empty: 'Este campo es obligatorio.',
  tooShort: '{min} caracteres como mínimo.',
  tooLong: '{max} caracteres como máximo.',
  tooFewEntries: '{min} valores como mínimo.',
  tooManyEntries: '{max} valores como máximo.',
  tooFewFields: '{min} campos como mínimo.',
  tooManyFields: '{max} campos como máximo.',
  unchangeable: 'Esto no se puede cambiar.',
  sameEntryTwice: 'El mismo valor aparece aquí dos veces.',
  wrongForm: 'Esto no tiene la forma correcta.',
  notDateTime: 'Escriba una fecha o una hora, como 2026-01-31 o 2026-01-31T09:30:00Z.',
  notValid: 'Esto no es válido.',
  nestedTooDeeply: 'Esto tiene demasiados niveles.',
  containsNul: 'Aquí no se admite el carácter U+0000.',
  containsHalfPair: 'El texto tiene un carácter incompleto (medio par sustituto).',
  fieldNameWithNul: 'El nombre de un campo no puede tener el carácter U+0000.',
  fieldNameWithHalfPair: 'El nombre de un campo tiene un carácter incompleto (medio par sustituto).',

  lineForm: 'Hace falta una línea sin caracteres de control.',
  optionalLineForm: 'Aquí no se admiten caracteres de control.',
  textForm: 'Aquí no se admiten caracteres de control.',
  idForm: 'Esto no es un identificador.',
  utmValueForm: () => 'Una línea; llaves solo como «{name}», «{shortCode}» o «{folder}».',
  hexColorForm: 'Un color tiene la forma #RRGGBB.',
  dateForm: 'Escriba una fecha o una hora, como 2026-01-31 o 2026-01-31T09:30:00Z.',
  expiryForm: 'Escriba una fecha, o una hora con zona horaria, como 2027-12-31 o 2027-12-31T18:00:00Z.',
  timezoneForm: 'Esto no es una zona horaria IANA, como Europe/Madrid.',
  countryForm: 'Esto no es un código de país ISO 3166-1 en mayúsculas, como ES (XX: desconocido).',
  ruleCountryForm: 'Esto no es un código de país ISO 3166-1 en mayúsculas, como ES.',
  regionForm: 'Esto no es un código ISO 3166-2, como ES-CT.',
  languageForm: 'Esto no es un código de idioma BCP 47, como es o pt-BR.',
  clockTimeForm: 'Escriba una hora de 00:00 a 23:59.',
  momentForm: 'Escriba una hora con zona horaria, como 2026-03-01T09:30:00Z.',
  queryNameForm: 'De 1 a 100 caracteres.',
  countryFilterForm:
    'Esto no es un código de país ISO 3166-1 en mayúsculas, como ES (XX: desconocido), o !ES para excluirlo.',
  ruleFilterForm:
    'Debe ser el identificador de una regla, o none para el contenido del propio código; con ! delante se excluye.',
  matrixForm: 'Deben ser dos dimensiones distintas con una coma, como code,city.',
  mailAddressForm: 'Esto no es una dirección de correo electrónico.',
  emailForm: 'Esto no es una dirección de correo electrónico.',
  phoneForm: 'Esto no es un número de teléfono, como +34 912 34 56 78.',
  twoFactorCodeForm: 'Introduzca las seis cifras que muestra su app de autenticación.',
  base64UrlForm: 'Debe ser base64url sin relleno.',
  shortCodeForm: 'De 4 a 32 letras, cifras o «-».',
  exactShortCodeForm: 'De 1 a 128 letras, cifras o «-_.~+/».',
  passwordForm: 'Aquí no se admite el carácter NUL.',
  metadataKeyForm: 'De 1 a 50 caracteres.',
  webhookSecretForm: 'Debe ser «whsec_» y de 24 a 64 bytes en base64.',
  logoForm: 'Debe ser la URI de datos de una imagen PNG, JPEG o WebP en base64.',
  webhookSecretNotBase64: 'El secreto debe ser «whsec_» y base64 con relleno.',
  webhookSecretLength: 'El secreto debe tener de {min} a {max} bytes.',
} as const satisfies ProblemWords<typeof english>

const byType: Readonly<Record<string, string>> = {
  boolean: 'Escriba true o false.',
  number: 'Escriba un número.',
  integer: 'Escriba un número entero.',
  string: 'Debe ser un texto.',
  object: 'Debe ser un objeto.',
  array: 'Debe ser una lista.',
}

/** `expected` has one type or several. */
function typeWords(expected: string): string {
  return byType[expected] ?? 'Esto no es del tipo correcto.'
}
