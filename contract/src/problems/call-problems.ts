import { lastOf, type AboutLast } from './english.ts'

/** Why a call to another host failed: calls of webhooks, destinations of moves, comparisons. */
const plainProblems = {
  hostUnresolved: 'The name of the host cannot be resolved.',
  connectionRefused: 'The host refused the connection.',
  connectionBroken: 'The receiver broke the connection off.',
  hostUnreachable: 'The host cannot be reached.',
  callBrokenOff: 'The call was broken off, as the service is stopping.',
  answerNotHttp: 'The answer was not HTTP.',
  hostNotPublic: '{host} does not lead to a public address.',
  tlsFailed: 'The TLS connection failed: {code}.',
  /** `cause` is a code of the system, or else what it says. */
  callFailed: 'The call failed: {cause}.',
  noWholeAnswer: 'There was no whole answer within {seconds} s.',
  noAnswer: 'There was no answer within {seconds} s.',
  receiverAnswered: 'The receiver answered {status}.',
  receiverRedirected: 'The receiver answered {status}, and redirects are not followed.',
  pageAnswers: 'The page answers {status}.',
  notWebAddress: 'It is no web address.',
  eventNotKept: 'The event is not kept any more.',
  webhookSecretUnreadable:
    'The secret cannot be read, as SECRET of the service was changed. Rotate the secret.',
  deliveryNotMade: 'The delivery could not be made.',
  receiverGone: 'The receiver answered 410 Gone.',
  linksNotCompared: 'The links could not be compared. The log of the service has the cause.',
  webhookDisabledByHand: 'It was disabled by hand.',
  webhookImported:
    'It was imported without its secret. Replace the secret, give it to the receiver and enable the webhook.',
} as const

/** Problems of calls to other hosts, and why calls to a host were given up. */
export const callProblems = {
  ...plainProblems,
  callsFailed: ({ calls: count, ...about }: AboutLast & { readonly calls: number }) =>
    `${count} calls in a row failed, the last one: ${lastOf(plainProblems, about)}`,
  serviceSilent: ({ service, ...about }: AboutLast & { readonly service: string }) =>
    `${service} gives no answer: ${lastOf(plainProblems, about)}`,
} as const
