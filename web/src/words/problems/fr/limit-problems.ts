import type { limitProblems as english } from '@everscan/contract/problems/limit-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** French. */
export const limitProblems = {
  stylesFull: 'L’organisation a {max} styles, ce qui est le maximum. Supprimez-en d’abord un.',
  utmTemplatesFull: 'L’organisation a {max} modèles UTM, ce qui est le maximum. Supprimez-en d’abord un.',
  viewsFull: 'L’organisation a {max} vues, ce qui est le maximum. Supprimez-en d’abord une.',
  domainsFull: 'L’organisation a {max} domaines, ce qui est le maximum. Supprimez-en d’abord un.',
  unprovedDomainsFull:
    'L’organisation a {max} domaines non validés, ce qui est le maximum. Validez-en ou supprimez-en d’abord un.',
  apiKeysFull:
    'Une organisation a au plus {max} clés d’API ni révoquées ni expirées, et celle-ci en a {count}. Révoquez-en d’abord une.',
  openImportsFull:
    'Une organisation a au plus {max} importations en cours. Attendez que l’une se termine, ou annulez-en une.',
  ownOrganizationsFull:
    'Vous pouvez être administrateur de {max} organisations au plus, et vous l’êtes déjà de {count}. Quittez-en d’abord une.',

  tooManyFailedAttempts: 'Trop de tentatives infructueuses. Réessayez dans {seconds} s.',
  tooManyUnknownKeys:
    'Votre réseau a envoyé {count} clés d’API inconnues en une minute. Réessayez dans {seconds} s.',
  tooManySignIns: 'De nombreuses personnes se connectent en ce moment. Réessayez dans un instant.',
  tooManyFilesRead: 'Trop de fichiers sont lus en ce moment. Réessayez dans un instant.',
  tooManySharedViews: 'Trop de vues partagées sont ouvertes en ce moment. Réessayez dans un instant.',

  placesOfKeyTaken: ({ count, places }) =>
    `Cette clé d’API a ${count} ${noun(places)} en cours, ce qui est son maximum. ${later}`,
  placesOfSessionTaken: ({ count, places }) =>
    `Cette session a ${count} ${noun(places)} en cours, ce qui est son maximum. ${later}`,
  placesOfKeyOwnerTaken: ({ count, places }) =>
    `Le compte qui a créé cette clé d’API a ${count} ${noun(places)} en cours dans toutes ses organisations et clés, ce qui est son maximum. ${later}`,
  placesOfAccountTaken: ({ count, places }) =>
    `Votre compte a ${count} ${noun(places)} en cours dans toutes ses organisations et clés, ce qui est son maximum. ${later}`,
  placesOfOrganizationTaken: ({ count, places }) =>
    `Cette organisation a ${count} ${noun(places)} en cours, ce qui est son maximum. ${later}`,
  placesOfServiceTaken: ({ count, places }) =>
    `Ce service a déjà ${count} ${noun(places)} en cours, ce qui est son maximum. ${later}`,
  fairShareTaken: ({ count, places }) =>
    `Ce service a presque atteint son maximum de ${noun(places)}, et cette organisation en a sa part, ${count}. ${later}`,
  webhooksFull: 'L’organisation a {max} webhooks, le maximum. Supprimez-en un d’abord.',
} as const satisfies ProblemWords<typeof english>

const later = 'Attendez une fin, ou réessayez plus tard.'
const nouns: Readonly<Record<string, string>> = {
  downloads: 'téléchargements',
  uploads: 'envois de fichiers',
  'streams of events': 'flux d’événements',
}
const noun = (places: string | number) => nouns[places] ?? String(places)
