import type { callProblems as english } from '@everscan/contract/problems/call-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** French. */
export const callProblems = {
  hostUnresolved: 'Le nom de l’hôte ne peut pas être résolu.',
  connectionRefused: 'L’hôte a refusé la connexion.',
  connectionBroken: 'Le destinataire a interrompu la connexion.',
  hostUnreachable: 'L’hôte est injoignable.',
  callBrokenOff: 'L’appel a été interrompu, car le service s’arrête.',
  answerNotHttp: 'La réponse n’était pas du HTTP.',
  hostNotPublic: 'L’hôte {host} ne mène pas à une adresse publique.',
  tlsFailed: 'La connexion TLS a échoué : {code}.',
  callFailed: 'L’appel a échoué : {cause}.',
  noWholeAnswer: 'Pas de réponse complète en {seconds} s.',
  noAnswer: 'Pas de réponse en {seconds} s.',
  receiverAnswered: 'Le destinataire a répondu {status}.',
  receiverRedirected: 'Le destinataire a répondu {status}, et les redirections ne sont pas suivies.',
  pageAnswers: 'La page répond {status}.',
  notWebAddress: 'Ce n’est pas une adresse web.',
  eventNotKept: 'L’événement n’est plus conservé.',
  webhookSecretUnreadable:
    'Le secret de signature ne peut pas être lu, car SECRET du service a changé. Remplacez le secret.',
  deliveryNotMade: 'L’envoi n’a pas pu être effectué.',
  receiverGone: 'Le destinataire a répondu 410 Gone.',
  callsFailed: ({ calls, last, ...values }, sayOther) =>
    `Échecs d’affilée : ${calls}. Le dernier : ${sayOther(last, values)}`,
  serviceSilent: ({ service, last, ...values }, sayOther) =>
    `Pas de réponse de ${service} : ${sayOther(last, values)}`,
  linksNotCompared: 'Les liens n’ont pas pu être comparés. Le journal du service en a la cause.',
  webhookDisabledByHand: 'Le webhook a été désactivé à la main.',
  webhookImported:
    'Le webhook a été importé sans son secret de signature. Remplacez le secret, donnez-le au destinataire et activez le webhook.',
} as const satisfies ProblemWords<typeof english>
