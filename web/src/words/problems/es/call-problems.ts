import type { callProblems as english } from '@everscan/contract/problems/call-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** Spanish. */
export const callProblems = {
  hostUnresolved: 'No se puede resolver el nombre del host.',
  connectionRefused: 'El host rechazó la conexión.',
  connectionBroken: 'El receptor interrumpió la conexión.',
  hostUnreachable: 'No se puede llegar al host.',
  callBrokenOff: 'La llamada se interrumpió, porque el servicio se está deteniendo.',
  answerNotHttp: 'La respuesta no era HTTP.',
  hostNotPublic: 'El host {host} no lleva a una dirección pública.',
  tlsFailed: 'La conexión TLS falló: {code}.',
  callFailed: 'La llamada falló: {cause}.',
  noWholeAnswer: 'No hubo una respuesta completa en {seconds} s.',
  noAnswer: 'No hubo respuesta en {seconds} s.',
  receiverAnswered: 'El receptor respondió {status}.',
  receiverRedirected: 'El receptor respondió {status}, y no se siguen las redirecciones.',
  pageAnswers: 'La página responde {status}.',
  notWebAddress: 'Esto no es una dirección web.',
  eventNotKept: 'El evento ya no se conserva.',
  webhookSecretUnreadable:
    'No se puede leer el secreto de firma, porque SECRET del servicio ha cambiado. Sustituya el secreto.',
  deliveryNotMade: 'No se pudo hacer la entrega.',
  receiverGone: 'El receptor respondió 410 Gone.',
  callsFailed: ({ calls, last, ...values }, sayOther) =>
    `Llamadas fallidas seguidas: ${calls}. La última: ${sayOther(last, values)}`,
  serviceSilent: ({ service, last, ...values }, sayOther) =>
    `No hay respuesta de ${service}: ${sayOther(last, values)}`,
  linksNotCompared: 'No se pudieron comparar los enlaces. La causa está en el registro del servicio.',
  webhookDisabledByHand: 'El webhook se desactivó a mano.',
  webhookImported:
    'El webhook se importó sin su secreto de firma. Sustituya el secreto, déselo al receptor y active el webhook.',
} as const satisfies ProblemWords<typeof english>
