import type { domainProblems as english } from '@everscan/contract/problems/domain-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** French. */
export const domainProblems = {
  dnsSilent: 'Le DNS n’a pas répondu : {code}. Il faut un enregistrement TXT {name} avec la valeur {value}.',
  txtRecordMissing: 'Il n’y a pas d’enregistrement TXT {name}. Créez-le avec la valeur {value}.',
  txtRecordDiffers:
    'L’enregistrement TXT {name} a une autre valeur. Ajoutez-y la valeur {value}. Il peut avoir plusieurs valeurs.',
  domainProvedElsewhere: 'Une autre organisation de cette installation a validé le domaine.',
  hostWithoutAddress: (lead) =>
    `L’hôte ${lead.hostname} n’a pas d’adresse, et les scans n’arrivent donc pas.${setRecord(lead)}`,
  hostElsewhere: (lead) =>
    `Un autre serveur répond pour ${lead.hostname}, et les scans n’arrivent donc pas.${setRecord(lead)}`,
  hostSilent: (lead) =>
    `Rien ne répond à ${lead.hostname}, et les scans n’arrivent donc pas.${setRecord(lead)}`,
  hostRenamed:
    'Les requêtes pour {hostname} arrivent sous un autre nom d’hôte. Le proxy doit transmettre l’en-tête Host, ou envoyer X-Forwarded-Host et figurer dans TRUST_PROXY.',
  hostWithoutHttps:
    'Les scans de {hostname} arrivent par http, mais pas par https. Le proxy a besoin d’un certificat pour lui.',

  renewalWaitsForTxt:
    'Créez un enregistrement TXT {name} avec la valeur {value} pour renouveler le certificat.',
  authorityBusy: 'L’autorité n’accepte plus de commandes pour l’instant.',
  authorityLate: 'L’autorité n’a pas terminé la commande en {seconds} s.',
  orderRefused: 'L’autorité a refusé la commande : {reason}',
  authorityUnreachable: 'L’autorité est injoignable : {code}.',
  orderFailed: 'Le certificat n’a pas pu être commandé. La cause est dans le journal du service.',
  orderEnded: 'L’autorité a terminé la commande. Son enregistrement TXT reçoit une autre valeur.',
  noProofByPorts: 'L’autorité n’offre pas de preuve par le port 80 ou 443.',
  noProofByTxt: 'L’autorité n’offre pas de preuve par un enregistrement TXT.',
  accountKeySealed: 'La clé du compte a été scellée avec un autre CERTIFICATE_KEY ou SECRET.',
  certificateOfOtherHost: 'L’autorité a émis un certificat pour un autre nom d’hôte.',
  certificateOfOtherKey: 'L’autorité a émis un certificat pour une autre clé.',
  certificateOver: 'L’autorité a émis un certificat qui a déjà expiré.',
} as const satisfies ProblemWords<typeof english>

function setRecord({
  hostname,
  type,
  target,
}: Readonly<Record<'hostname' | 'type' | 'target', string>>): string {
  return type === '' ? '' : ` Créez pour ${hostname} un enregistrement ${type} avec ${target}.`
}
