import type { fieldProblems as english } from '@everscan/contract/problems/field-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'
import { unquoted } from '../values.ts'

/** German. */
export const fieldProblems = {
  severalProblems: '{count} Angaben sind nicht richtig.',
  required: 'Dieses Feld ist erforderlich.',
  unknownField: 'Dieses Feld gibt es nicht.',
  unknownParameter: 'Diesen Parameter gibt es nicht.',
  wrongType: ({ expected }) => typeWords(expected),
  wrongSecretType: ({ expected }) => typeWords(expected),
  givenTwice: 'Das darf nur einmal angegeben sein.',
  notAmong: ({ allowed }) => `Möglich sind: ${unquoted(allowed)}.`,
  notExactly: ({ expected }) => `Möglich ist nur: ${unquoted(expected)}.`,
  tooSmall: 'Mindestens {min}.',
  tooLarge: 'Höchstens {max}.',
  empty: 'Dieses Feld ist erforderlich.',
  tooShort: 'Mindestens {min} Zeichen.',
  tooLong: 'Höchstens {max} Zeichen.',
  tooFewEntries: 'Mindestens {min} Einträge.',
  tooManyEntries: 'Höchstens {max} Einträge.',
  tooFewFields: 'Mindestens {min} Felder.',
  tooManyFields: 'Höchstens {max} Felder.',
  unchangeable: 'Das lässt sich nicht ändern.',
  sameEntryTwice: 'Dieselbe Angabe steht hier zweimal.',
  wrongForm: 'Das hat nicht die richtige Form.',
  notDateTime: 'Schreiben Sie ein Datum oder einen Zeitpunkt, etwa 2026-01-31 oder 2026-01-31T09:30:00Z.',
  notValid: 'Das ist nicht gültig.',
  nestedTooDeeply: 'Das ist zu tief verschachtelt.',
  containsNul: 'Das Zeichen U+0000 ist hier nicht möglich.',
  containsHalfPair: 'Der Text hat ein unvollständiges Zeichen (ein halbes Surrogatpaar).',
  fieldNameWithNul: 'Das Zeichen U+0000 ist im Namen eines Feldes nicht möglich.',
  fieldNameWithHalfPair: 'Der Name eines Feldes hat ein unvollständiges Zeichen (ein halbes Surrogatpaar).',

  lineForm: 'Hier ist eine Zeile ohne Steuerzeichen nötig.',
  optionalLineForm: 'Steuerzeichen sind hier nicht möglich.',
  textForm: 'Steuerzeichen sind hier nicht möglich.',
  idForm: 'Das ist keine Kennung.',
  utmValueForm: () => 'Eine Zeile; geschweifte Klammern nur als „{name}“, „{shortCode}“ oder „{folder}“.',
  hexColorForm: 'Eine Farbe hat die Form #RRGGBB.',
  dateForm: 'Schreiben Sie ein Datum oder einen Zeitpunkt, etwa 2026-01-31 oder 2026-01-31T09:30:00Z.',
  expiryForm:
    'Schreiben Sie ein Datum oder einen Zeitpunkt mit Zeitzone, etwa 2027-12-31 oder 2027-12-31T18:00:00Z.',
  timezoneForm: 'Das ist keine IANA-Zeitzone, etwa Europe/Berlin.',
  countryForm: 'Das ist kein Länderkürzel nach ISO 3166-1 in Großbuchstaben, etwa DE (XX: unbekannt).',
  ruleCountryForm: 'Das ist kein Länderkürzel nach ISO 3166-1 in Großbuchstaben, etwa DE.',
  regionForm: 'Das ist kein Kürzel nach ISO 3166-2, etwa DE-BY.',
  languageForm: 'Das ist kein Sprachkürzel nach BCP 47, etwa de oder pt-BR.',
  clockTimeForm: 'Geben Sie eine Uhrzeit von 00:00 bis 23:59 ein.',
  momentForm: 'Schreiben Sie einen Zeitpunkt mit Zeitzone, etwa 2026-03-01T09:30:00Z.',
  queryNameForm: '1 bis 100 Zeichen.',
  countryFilterForm:
    'Das ist kein Länderkürzel nach ISO 3166-1 in Großbuchstaben, etwa DE (XX: unbekannt), oder !DE, um das Land auszuschließen.',
  ruleFilterForm:
    'Das muss die Kennung einer Regel sein oder none für den Inhalt des Codes selbst; mit ! davor wird ausgeschlossen.',
  matrixForm: 'Das müssen zwei verschiedene Merkmale mit einem Komma sein, etwa code,city.',
  mailAddressForm: 'Das ist keine E-Mail-Adresse.',
  emailForm: 'Das ist keine E-Mail-Adresse.',
  phoneForm: 'Das ist keine Telefonnummer, etwa +49 30 123456.',
  twoFactorCodeForm: 'Geben Sie die sechs Ziffern ein, die Ihre Authenticator-App anzeigt.',
  base64UrlForm: 'Das muss base64url ohne Füllzeichen sein.',
  shortCodeForm: '4 bis 32 Buchstaben, Ziffern oder „-“.',
  exactShortCodeForm: '1 bis 128 Buchstaben, Ziffern oder „-_.~+/“.',
  passwordForm: 'Das Zeichen NUL ist hier nicht möglich.',
  metadataKeyForm: '1 bis 50 Zeichen.',
  webhookSecretForm: 'Das muss „whsec_“ und 24 bis 64 Bytes in Base64 sein.',
  logoForm: 'Das muss die Daten-URI eines Bildes (PNG, JPEG oder WebP) in Base64 sein.',
  webhookSecretNotBase64: 'Das Geheimnis muss „whsec_“ und Base64 mit Auffüllung sein.',
  webhookSecretLength: 'Das Geheimnis muss {min} bis {max} Bytes haben.',
} as const satisfies ProblemWords<typeof english>

const byType: Readonly<Record<string, string>> = {
  boolean: 'Schreiben Sie true oder false.',
  number: 'Schreiben Sie eine Zahl.',
  integer: 'Schreiben Sie eine ganze Zahl.',
  string: 'Das muss ein Text sein.',
  object: 'Das muss ein Objekt sein.',
  array: 'Das muss eine Liste sein.',
}

/** `expected` has one type or several. */
function typeWords(expected: string): string {
  return byType[expected] ?? 'Das ist nicht von der richtigen Art.'
}
