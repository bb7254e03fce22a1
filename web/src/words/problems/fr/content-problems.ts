import type { contentProblems as english } from '@everscan/contract/problems/content-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** French. */
export const contentProblems = {
  longerThan: '{max} caractères au plus.',
  blank: 'Ce champ est requis.',
  requiredWith: 'Cette valeur est requise avec {field}.',
  noSuchTime: 'Ce moment n’existe pas : {got}.',

  urlWithSpaces: 'Une adresse n’a pas d’espaces. Écrivez %20 à la place.',
  urlWithBackslash: 'Une adresse web n’a pas de barre oblique inversée (\\).',
  notHttp: 'Ce n’est pas une adresse web. Elle commence par http:// ou https://.',
  notHttps: 'L’adresse doit commencer par https://.',
  hostIsPrivate: 'L’adresse doit être publique, et « {hostname} » est privé.',
  leadsBackHere: 'Cette adresse ramène à ce service ({publicUrl}).',
  leadsBackToDomain: 'Cette adresse ramène au domaine lui-même.',
  isThisInstallation: 'C’est l’adresse de cette installation.',
  urlWithoutHost: 'Il manque à cette adresse le nom d’hôte.',
  urlWithCredentials: 'Une adresse ne doit avoir ni nom d’utilisateur ni mot de passe.',
  notUrl: 'Ce n’est pas une adresse web valide.',
  urlWithNumber:
    'Donnez un nom d’hôte, ou écrivez l’adresse en quatre nombres décimaux : les navigateurs iraient à {address}.',
  urlTooLongEncoded: '{max} caractères au plus, une fois les caractères spéciaux écrits avec %.',

  ssidTooLong: 'Le nom d’un réseau a {max} octets au plus.',
  passwordOfOpenNetwork: 'Un réseau ouvert n’a pas de mot de passe.',
  wpaPasswordMissing: 'WPA demande un mot de passe. Pour un réseau ouvert, choisissez aucune sécurité.',
  wpaPasswordLength: 'Un mot de passe WPA a de 8 à 63 caractères.',
  noLink: 'Il faut au moins un lien.',
  appWithoutUrl: 'Il faut l’une de ces valeurs : iosUrl, androidUrl, fallbackUrl.',
  menuWithBoth: 'Il faut « url », ou « title » avec « sections », mais pas les deux.',
  menuWithNeither: 'Il faut « url », ou « title » avec « sections ».',
  menuWithoutTitle: 'Un menu avec des sections demande un titre.',
  menuWithoutSections: 'Un menu avec un titre demande des sections.',
  menuLanguageTwice: 'La langue « {language} » figure ici deux fois.',
  menuLanguageUnknown: '« {language} » n’est pas l’une des autres langues de ce menu.',

  shortCodeOfEveryHost: 'Le service s’en sert lui-même. Choisissez autre chose.',
  shortCodeReserved: 'Le service s’en sert lui-même. Choisissez autre chose.',
  shortCodeTaken: '« {shortCode} » est déjà pris. Choisissez autre chose.',

  notHostname: 'Ce n’est pas un nom d’hôte, comme go.example.com.',
  hostnameIsAddress: 'Ce doit être un nom d’hôte, pas une adresse IP.',
  hostnameWithoutDot: 'Un nom d’hôte a ici un point, comme go.example.com.',
  hostnameOfPublicUrl: 'C’est l’hôte de PUBLIC_URL. Choisissez-en un autre.',
  hostnameOfOneNetwork:
    'Ce doit être un nom qu’Internet connaît. Avec PRIVATE_DOMAINS=true, .internal, .local et .lan sont possibles.',
  hostnameIsSuffix: 'Ce doit être un nom sous un suffixe public : personne n’a un suffixe entier.',
  notPunycode: 'Écrivez le nom en minuscules et en punycode.',
  hostnameForm: 'Un nom d’hôte a des lettres, des chiffres et « - » entre des points.',

  endsBeforeItStarts: 'La fin doit être après le début ({startsAt}).',
  endsAtNotLater: 'La fin doit être après le début.',
  closedUrlOrMessage: 'Il faut une adresse ou un texte, mais pas les deux.',

  ruleIdTwice: 'Une autre règle a déjà cet identifiant.',
  noSuchRuleId: 'Ce code n’a pas de règle avec cet identifiant. N’en indiquez pas.',
  armNameTwice: 'Ce nom est déjà utilisé ici.',
  rulesTooLong: 'Les règles sont trop longues : {max} caractères au plus en JSON, et il y en a {got}.',
  dataOrSplit: 'Une règle a un contenu ou des variantes, mais pas les deux.',
  noSuchCountry: '« {got} » n’est pas un code de pays ISO 3166-1.',
  noSuchRegion: '« {got} » n’est pas un code ISO 3166-2, comme FR-BRE.',
  noSuchLanguage: '« {got} » n’est pas un code de langue BCP 47.',
  noSuchOs: '« {got} » n’est pas un système comme les statistiques le nomment, tel que iOS.',
  noSuchBrowser: '« {got} » n’est pas un navigateur comme les statistiques le nomment, tel que Safari.',
  noSuchNetwork: '« {got} » n’est pas un réseau en notation CIDR, comme 203.0.113.0/24.',
  noSuchTimeZone: '« {got} » n’est pas un fuseau horaire IANA, comme Europe/Paris.',
  fromEqualsTo: 'Le début et la fin doivent être différents.',
  timeZoneMissing: 'Les jours et les heures demandent un fuseau horaire.',

  labelsBeyondPage:
    '{max} au plus avec cette étiquette : la page a {pageMm} mm, moins une marge de {marginMm} mm.',
  labelBeyondPage: '{max} au plus : la page a {pageMm} mm, moins une marge de {marginMm} mm.',
} as const satisfies ProblemWords<typeof english>
