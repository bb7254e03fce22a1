import type { domainProblems as english } from '@everscan/contract/problems/domain-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** Spanish. */
export const domainProblems = {
  dnsSilent: 'El DNS no respondió: {code}. Hace falta un registro TXT {name} con el valor {value}.',
  txtRecordMissing: 'No hay ningún registro TXT {name}. Créelo con el valor {value}.',
  txtRecordDiffers:
    'El registro TXT {name} tiene otro valor. Añada el valor {value}. Puede tener varios valores.',
  domainProvedElsewhere: 'Otra organización de esta instalación ha verificado el dominio.',
  hostWithoutAddress: (lead) =>
    `El host ${lead.hostname} no tiene dirección, así que los escaneos no llegan.${setRecord(lead)}`,
  hostElsewhere: (lead) =>
    `Otro servidor responde por ${lead.hostname}, así que los escaneos no llegan.${setRecord(lead)}`,
  hostSilent: (lead) =>
    `Nada responde en ${lead.hostname}, así que los escaneos no llegan.${setRecord(lead)}`,
  hostRenamed:
    'Las peticiones a {hostname} llegan con otro nombre de host. El proxy debe transmitir la cabecera Host, o enviar X-Forwarded-Host y estar en TRUST_PROXY.',
  hostWithoutHttps:
    'Los escaneos de {hostname} llegan por http, pero no por https. El proxy necesita un certificado para él.',

  renewalWaitsForTxt: 'Cree un registro TXT {name} con el valor {value} para renovar el certificado.',
  authorityBusy: 'La autoridad no acepta más pedidos por ahora.',
  authorityLate: 'La autoridad no terminó el pedido en {seconds} s.',
  orderRefused: 'La autoridad rechazó el pedido: {reason}',
  authorityUnreachable: 'No se puede contactar con la autoridad: {code}.',
  orderFailed: 'No se pudo pedir el certificado. La causa está en el registro del servicio.',
  orderEnded: 'La autoridad ha terminado el pedido. Su registro TXT recibe otro valor.',
  noProofByPorts: 'La autoridad no ofrece ninguna prueba por el puerto 80 o 443.',
  noProofByTxt: 'La autoridad no ofrece ninguna prueba con un registro TXT.',
  accountKeySealed: 'La clave de la cuenta se selló con otro CERTIFICATE_KEY o SECRET.',
  certificateOfOtherHost: 'La autoridad emitió un certificado para otro nombre de host.',
  certificateOfOtherKey: 'La autoridad emitió un certificado para otra clave.',
  certificateOver: 'La autoridad emitió un certificado que ya ha caducado.',
} as const satisfies ProblemWords<typeof english>

function setRecord({
  hostname,
  type,
  target,
}: Readonly<Record<'hostname' | 'type' | 'target', string>>): string {
  return type === '' ? '' : ` Cree para ${hostname} un registro ${type} con ${target}.`
}
