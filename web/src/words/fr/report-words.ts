import type { callWords as EnglishCalls, reportWords as English } from '../report-words.ts'

/** French. */
export const reportWords: typeof English = {
  oneOf: (list) => `Valeurs possibles : ${list}.`,
  oneNeeded: (list) => `Il faut dans la ligne l’une de ces valeurs : ${list}.`,
  needed: (column) => `Il faut dans la ligne une valeur pour : ${column}.`,
  oneLink: 'Il faut dans la ligne au moins un lien.',
  yesNo: 'Écrivez true ou false.',
  number: 'Écrivez un nombre.',
  date: 'Écrivez une date ou un moment, comme 2026-01-31 ou 2026-01-31T09:30:00Z.',
  past: 'Ce moment ne doit pas être dans le futur.',
  early: 'Ce moment ne doit pas être avant 1970.',
  pastTime: 'Ce moment doit être après 1970 et ne doit pas être dans le futur.',
  taken: (code) => `« ${code} » est déjà pris. Choisissez autre chose.`,
  sameCode: (code, line) => `« ${code} » figure aussi à la ligne ${line}. Choisissez autre chose.`,
  reserved: 'Le service s’en sert lui-même. Choisissez autre chose.',
  provedDomain: (host) => `Ce doit être un domaine validé de cette organisation, ou « ${host} ».`,
  cells: 'La ligne a plus de cellules que le fichier n’a de colonnes.',
  bytes: (bytes) => `${bytes} octets au plus.`,
  entries: (entries) => `${entries} valeurs au plus.`,
  clicks: 'Ce n’est pas un nombre de clics.',
  leadsBack: 'Cette adresse ramène à ce service.',
  spaces: 'Une adresse n’a pas d’espaces. Écrivez %20 à la place.',
  credentials: 'Une adresse ne doit avoir ni nom d’utilisateur ni mot de passe.',
  workbook: 'Ce fichier n’est pas lisible comme classeur. Enregistrez-le à nouveau en xlsx, ou en CSV.',
  columns: (columns) => `Un fichier a ${columns} colonnes au plus.`,
  mailRefused: (addresses) => `Le serveur de messagerie n’a pas accepté l’e-mail pour ${addresses}.`,
  mailUnread: 'Les chiffres n’ont pas pu être lus.',
  mailOfNoCode: 'Rien n’a été envoyé : le code de cette vue a été supprimé.',
  mailLimit: (unsent, addresses, perDay) =>
    `Adresses sans cet e-mail : ${unsent} sur ${addresses}. L’organisation a envoyé ${perDay} e-mails de vues aujourd’hui, ce qui est le maximum.`,
  mailStopped:
    'Rien n’a été envoyé\u00a0: l’opérateur de cette installation a arrêté les e-mails de votre organisation.',
  mailAccountWaits:
    'Le reste attend demain\u00a0: la personne qui a configuré l’e-mail a atteint le maximum d’e-mails par jour.',
  mailInstallationWaits:
    'Le reste attend demain\u00a0: cette installation a atteint son maximum d’e-mails par jour.',
  mailTried: (attempts) => `Tentatives : ${attempts}.`,
  mailTriedAgain: 'Une nouvelle tentative est prévue.',
}

export const callWords: typeof EnglishCalls = {
  unresolved: 'Le nom de l’hôte ne peut pas être résolu.',
  refused: 'L’hôte a refusé la connexion.',
  brokenOff: 'Le destinataire a interrompu la connexion.',
  unreachable: 'L’hôte est injoignable.',
  stopping: 'L’appel a été interrompu, car le service s’arrête.',
  notHttp: 'La réponse n’était pas du HTTP.',
  notPublic: (host) => `${host} ne mène pas à une adresse publique.`,
  tls: (code) => `La connexion TLS a échoué : ${code}.`,
  failed: (cause) => `L’appel a échoué : ${cause}.`,
  late: (seconds) => `Pas de réponse complète en ${seconds} s.`,
  silent: (seconds) => `Pas de réponse en ${seconds} s.`,
  answered: (status) => `Le destinataire a répondu ${status}.`,
  redirected: (status) => `Le destinataire a répondu ${status}, et les redirections ne sont pas suivies.`,
  page: (status) => `La page répond ${status}.`,
  noAddress: 'Ce n’est pas une adresse web.',
  noEvent: 'L’événement n’est plus conservé.',
  noSecret:
    'Le secret de signature ne peut pas être lu, car SECRET du service a changé. Remplacez le secret.',
  notMade: 'L’envoi n’a pas pu être effectué.',
  inARow: (calls, last) => `Échecs d’affilée : ${calls}. Le dernier : ${last}`,
  noAnswer: (host, last) => `${host} ne répond pas : ${last}`,
}
