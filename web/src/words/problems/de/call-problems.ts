import type { callProblems as english } from '@everscan/contract/problems/call-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'

/** German. */
export const callProblems = {
  hostUnresolved: 'Der Name des Hosts lässt sich nicht auflösen.',
  connectionRefused: 'Der Host hat die Verbindung abgelehnt.',
  connectionBroken: 'Der Empfänger hat die Verbindung abgebrochen.',
  hostUnreachable: 'Der Host ist nicht erreichbar.',
  callBrokenOff: 'Der Aufruf wurde abgebrochen, weil der Dienst gerade beendet wird.',
  answerNotHttp: 'Die Antwort war kein HTTP.',
  hostNotPublic: 'Der Host {host} führt nicht zu einer öffentlichen Adresse.',
  tlsFailed: 'Die TLS-Verbindung ist fehlgeschlagen: {code}.',
  callFailed: 'Der Aufruf ist fehlgeschlagen: {cause}.',
  noWholeAnswer: 'Innerhalb von {seconds} s kam keine vollständige Antwort.',
  noAnswer: 'Innerhalb von {seconds} s kam keine Antwort.',
  receiverAnswered: 'Der Empfänger hat mit {status} geantwortet.',
  receiverRedirected: 'Der Empfänger hat mit {status} geantwortet, und Weiterleitungen wird nicht gefolgt.',
  pageAnswers: 'Die Seite antwortet mit {status}.',
  notWebAddress: 'Das ist keine Webadresse.',
  eventNotKept: 'Das Ereignis ist nicht mehr gespeichert.',
  webhookSecretUnreadable:
    'Der Signaturschlüssel lässt sich nicht lesen, weil SECRET des Dienstes geändert wurde. Tauschen Sie den Signaturschlüssel aus.',
  deliveryNotMade: 'Die Zustellung war nicht möglich.',
  receiverGone: 'Der Empfänger hat mit 410 Gone geantwortet.',
  callsFailed: ({ calls, last, ...values }, sayOther) =>
    `Fehlgeschlagene Aufrufe in Folge: ${calls}. Der letzte: ${sayOther(last, values)}`,
  serviceSilent: ({ service, last, ...values }, sayOther) =>
    `Keine Antwort von ${service}: ${sayOther(last, values)}`,
  linksNotCompared: 'Die Links konnten nicht verglichen werden. Die Ursache steht im Log des Dienstes.',
  webhookDisabledByHand: 'Der Webhook wurde von Hand abgeschaltet.',
  webhookImported:
    'Der Webhook wurde ohne seinen Signaturschlüssel importiert. Tauschen Sie diesen aus, geben Sie ihn dem Empfänger, und schalten Sie den Webhook ein.',
} as const satisfies ProblemWords<typeof english>
