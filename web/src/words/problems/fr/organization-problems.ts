import type { organizationProblems as english } from '@everscan/contract/problems/organization-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** French. */
export const organizationProblems = {
  scopeNotOfKey: 'La clé de cette requête n’a pas le droit « {got} », mais : {scopes}.',
  networkNotOfKey:
    'Ce doit être dans un réseau de la clé de cette requête, qui a {networks}, et non « {got} ».',
  expiresAfterKey: 'Au plus tard {max}, où la clé de cette requête expire.',
  notKeyNetwork:
    'Ce n’est ni une adresse IP ni un réseau en notation CIDR, comme 203.0.113.7, 10.0.0.0/8 ou 2001:db8::/32.',
  notFirstAddress: 'Un réseau commence par sa première adresse, ici {network}.',
  noSuchFolder: 'Ce dossier n’existe pas dans cette organisation : « {got} ».',
  codesWaitForDomain:
    'Codes QR qui attendent ce domaine : {count}. Validez-le, ou supprimez-le avec ces codes.',
  noSuchDomain: 'Ce doit être un domaine validé de cette organisation, et non « {got} ».',
  noSuchDay: 'Ce jour ou ce moment n’existe pas : « {got} ».',
  notInFuture: 'Ce moment doit être dans le futur.',

  scopeMissing: 'Il faut pour cela le droit {scope} ; la clé d’API a : {scopes}.',
  scopeOfEventMissing: 'Il faut pour l’événement {event} le droit {scope} ; la clé d’API a : {scopes}.',

  domainHere: 'L’organisation a déjà le domaine « {hostname} ».',
  codesComparedOtherwise:
    'Des codes courts ont déjà été créés sur « {hostname} ». La façon de les comparer y reste la même ({form}).',
  domainHasCodes: ({ count }) =>
    `Codes QR actifs sur ce domaine : ${count}. Archivez-les d’abord, ou supprimez le domaine avec eux.`,
  noticeOfUnproved:
    '« {hostname} » n’est pas validé. Seule l’organisation qui a le domaine peut donner un préavis.',
  noticeToNobody: 'Aucune autre organisation n’a de codes d’avant sur ce nom d’hôte.',
  noNotice: 'Il n’y a pas de préavis à retirer.',
  domainOnNotice:
    '« {hostname} » appartient maintenant à une autre organisation, qui a donné un préavis : ses codes prennent fin le {day} et ne peuvent être qu’archivés ou supprimés.',
} as const satisfies ProblemWords<typeof english>
