import { matrixDimensions } from '../dimensions/dimensions.ts'

type Got = { expected: string; got: string }

/** Problems of a value that does not fit its schema. `got` is a value as JSON, shortened. */
export const fieldProblems = {
  /** Of a request as a whole: `details` has each of them. */
  severalProblems: '{count} problems',
  required: 'is required',
  unknownField: 'is not a known field',
  unknownParameter: 'is not a known parameter',
  /** `expected` has names of JSON types, with "or" between them. */
  wrongType: ({ expected, got }: Got) => `must be ${typeWords(expected)}, got ${got}`,
  wrongSecretType: ({ expected }: { expected: string }) => `must be ${typeWords(expected)}`,
  givenTwice: 'must be given once',
  notAmong: 'must be one of {allowed}, got {got}',
  notExactly: 'must be {expected}, got {got}',
  tooSmall: 'must be at least {min}, got {got}',
  tooLarge: 'must be at most {max}, got {got}',
  empty: 'must not be empty',
  tooShort: 'must have at least {min} characters',
  tooLong: 'must have at most {max} characters, got {got}',
  tooFewEntries: 'must have at least {min} entries',
  tooManyEntries: 'must have at most {max} entries, got {got}',
  tooFewFields: 'must have at least {min} fields',
  tooManyFields: 'must have at most {max} fields',
  unchangeable: 'cannot change',
  sameEntryTwice: 'must not contain the same entry twice',
  wrongForm: 'has the wrong form',
  notDateTime: 'must be an ISO 8601 date and time',
  notValid: 'is not valid',
  nestedTooDeeply: 'is nested too deeply',
  containsNul: 'must not contain the character U+0000',
  containsHalfPair: 'must not contain half of a surrogate pair',
  fieldNameWithNul: 'must have no field with the character U+0000 in its name',
  fieldNameWithHalfPair: 'must have no field with half of a surrogate pair in its name',

  // Texts that do not match a pattern, by the name of the pattern.
  lineForm: 'must not be empty or contain control characters',
  optionalLineForm: 'must be one line without control characters',
  textForm: 'must not contain control characters',
  idForm: 'must be an identifier',
  utmValueForm: () => 'must be one line; braces only as "{name}", "{shortCode}" or "{folder}"',
  hexColorForm: 'must be a hex color of the form "#RRGGBB"',
  dateForm: 'must be an ISO 8601 date or date and time, like "2026-03-01" or "2026-03-01T09:30:00Z"',
  expiryForm: 'must be a date or a time with time zone, like "2027-12-31" or "2027-12-31T18:00:00Z"',
  timezoneForm: 'must be an IANA time zone, like "Europe/Berlin"',
  countryForm: 'must be an ISO 3166-1 country code in upper case, like "DE" ("XX" for unknown)',
  ruleCountryForm: 'must be an ISO 3166-1 country code in upper case, like "DE"',
  regionForm: 'must be an ISO 3166-2 code, like "DE-BY"',
  languageForm: 'must be a BCP 47 language tag, like "de" or "pt-BR"',
  clockTimeForm: 'must be a time of day, HH:MM from 00:00 to 23:59',
  momentForm: 'must be an ISO 8601 time with time zone, like "2026-03-01T09:30:00Z"',
  queryNameForm: 'must be 1 to 100 characters',
  countryFilterForm:
    'must be an ISO 3166-1 country code in upper case, like "DE" ("XX" for unknown), or "!DE" to exclude it',
  ruleFilterForm: `must be the id of a rule, "none" for the code's own data, or either with "!" to exclude it`,
  matrixForm: () =>
    `must be two different dimensions with a comma, like "code,city", of ${matrixDimensions.join(', ')}`,
  mailAddressForm: 'must be an e-mail address',
  emailForm: 'must be an e-mail address',
  phoneForm: 'must be a phone number: digits, spaces and + - ( ) . / * # only, like "+49 30 123456"',
  twoFactorCodeForm: 'must be the 6 digits that the authenticator shows',
  base64UrlForm: 'must be base64url without padding',
  shortCodeForm: 'must be 4 to 32 letters, digits or "-"',
  exactShortCodeForm:
    'must be 1 to 128 letters, digits or "-_.~+/", without "//", a "/" at its beginning, or a part that is "." or ".."',
  passwordForm: 'must not contain the character NUL',
  metadataKeyForm: 'must be 1 to 50 characters',
  webhookSecretForm: 'must be "whsec_" and 24 to 64 bytes in base64',
  logoForm: 'must be a data URI of a PNG, JPEG or WebP picture in base64',
  webhookSecretNotBase64: 'must be "whsec_" and base64 with its padding',
  webhookSecretLength: 'must have {min} to {max} bytes, got {got}',
} as const

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
}

function typeWords(expected: string): string {
  return expected
    .split(' or ')
    .map((name) => typeNames[name] ?? name)
    .join(' or ')
}
