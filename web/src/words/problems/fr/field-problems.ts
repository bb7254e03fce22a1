import type { fieldProblems as english } from '@everscan/contract/problems/field-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'
import { unquoted } from '../values.ts'

/** French. */
export const fieldProblems = {
  severalProblems: '{count} valeurs ne sont pas correctes.',
  required: 'Ce champ est requis.',
  unknownField: 'Ce champ n’existe pas.',
  unknownParameter: 'Ce paramètre n’existe pas.',
  wrongType: ({ expected }) => typeWords(expected),
  wrongSecretType: ({ expected }) => typeWords(expected),
  givenTwice: 'Ceci ne peut être indiqué qu’une fois.',
  notAmong: ({ allowed }) => `Valeurs possibles : ${unquoted(allowed)}.`,
  notExactly: ({ expected }) => `Seule valeur possible : ${unquoted(expected)}.`,
  tooSmall: '{min} au moins.',
  tooLarge: '{max} au plus.',
  empty: 'Ce champ est requis.',
  tooShort: '{min} caractères au moins.',
  tooLong: '{max} caractères au plus.',
  tooFewEntries: '{min} valeurs au moins.',
  tooManyEntries: '{max} valeurs au plus.',
  tooFewFields: '{min} champs au moins.',
  tooManyFields: '{max} champs au plus.',
  unchangeable: 'Cette valeur ne peut pas être modifiée.',
  sameEntryTwice: 'La même valeur figure ici deux fois.',
  wrongForm: 'La forme n’est pas la bonne.',
  notDateTime: 'Écrivez une date ou un moment, comme 2026-01-31 ou 2026-01-31T09:30:00Z.',
  notValid: 'Cette valeur n’est pas valide.',
  nestedTooDeeply: 'Il y a trop de niveaux.',
  containsNul: 'Le caractère U+0000 n’est pas possible ici.',
  containsHalfPair: 'Le texte a un caractère incomplet (une moitié de paire de substitution).',
  fieldNameWithNul: 'Le nom d’un champ ne peut pas avoir le caractère U+0000.',
  fieldNameWithHalfPair: 'Le nom d’un champ a un caractère incomplet (une moitié de paire de substitution).',

  lineForm: 'Il faut une ligne sans caractères de contrôle.',
  optionalLineForm: 'Les caractères de contrôle ne sont pas possibles ici.',
  textForm: 'Les caractères de contrôle ne sont pas possibles ici.',
  idForm: 'Ce n’est pas un identifiant.',
  utmValueForm: () => 'Une ligne ; des accolades seulement pour « {name} », « {shortCode} » ou « {folder} ».',
  hexColorForm: 'Une couleur a la forme #RRGGBB.',
  dateForm: 'Écrivez une date ou un moment, comme 2026-01-31 ou 2026-01-31T09:30:00Z.',
  expiryForm:
    'Écrivez une date, ou un moment avec un fuseau horaire, comme 2027-12-31 ou 2027-12-31T18:00:00Z.',
  timezoneForm: 'Ce n’est pas un fuseau horaire IANA, comme Europe/Paris.',
  countryForm: 'Ce n’est pas un code de pays ISO 3166-1 en majuscules, comme FR (XX : inconnu).',
  ruleCountryForm: 'Ce n’est pas un code de pays ISO 3166-1 en majuscules, comme FR.',
  regionForm: 'Ce n’est pas un code ISO 3166-2, comme FR-BRE.',
  languageForm: 'Ce n’est pas un code de langue BCP 47, comme fr ou pt-BR.',
  clockTimeForm: 'Saisissez une heure de 00:00 à 23:59.',
  momentForm: 'Écrivez un moment avec un fuseau horaire, comme 2026-03-01T09:30:00Z.',
  queryNameForm: '1 à 100 caractères.',
  countryFilterForm:
    'Ce n’est pas un code de pays ISO 3166-1 en majuscules, comme FR (XX : inconnu), ou !FR pour l’exclure.',
  ruleFilterForm:
    'Ce doit être l’identifiant d’une règle, ou none pour le contenu du code lui-même, précédé d’un point d’exclamation pour exclure.',
  matrixForm: 'Ce doivent être deux dimensions différentes avec une virgule, comme code,city.',
  mailAddressForm: 'Ce n’est pas une adresse e-mail.',
  emailForm: 'Ce n’est pas une adresse e-mail.',
  phoneForm: 'Ce n’est pas un numéro de téléphone, comme +33 1 23 45 67 89.',
  twoFactorCodeForm: 'Saisissez les six chiffres que votre application d’authentification affiche.',
  base64UrlForm: 'Ce doit être du base64url sans remplissage.',
  shortCodeForm: '4 à 32 lettres, chiffres ou « - ».',
  exactShortCodeForm: '1 à 128 lettres, chiffres ou « -_.~+/ ».',
  passwordForm: 'Le caractère NUL n’est pas possible ici.',
  metadataKeyForm: '1 à 50 caractères.',
  webhookSecretForm: 'Ce doit être « whsec_ » et 24 à 64 octets en base64.',
  logoForm: 'Ce doit être l’URI de données d’une image PNG, JPEG ou WebP en base64.',
  webhookSecretNotBase64: 'Le secret doit être « whsec_ » suivi de base64 avec son remplissage.',
  webhookSecretLength: 'Le secret doit avoir de {min} à {max} octets.',
} as const satisfies ProblemWords<typeof english>

const byType: Readonly<Record<string, string>> = {
  boolean: 'Écrivez true ou false.',
  number: 'Écrivez un nombre.',
  integer: 'Écrivez un nombre entier.',
  string: 'Ce doit être un texte.',
  object: 'Ce doit être un objet.',
  array: 'Ce doit être une liste.',
}

/** `expected` has one type or several. */
function typeWords(expected: string): string {
  return byType[expected] ?? 'Cette valeur n’est pas du bon type.'
}
