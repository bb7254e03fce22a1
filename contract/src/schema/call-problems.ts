/**
 * Why a call to another host failed, as the service says it: webhooks, destinations of moves,
 * comparisons. The dashboard recognizes each by its text, and has words for it.
 */
export const callProblems = {
  unresolved: 'The name of the host cannot be resolved.',
  refused: 'The host refused the connection.',
  brokenOff: 'The receiver broke the connection off.',
  unreachable: 'The host cannot be reached.',
  stopping: 'The call was broken off, as the service is stopping.',
  notHttp: 'The answer was not HTTP.',
  notPublic: (host: string) => `${host} does not lead to a public address.`,
  tls: (code: string) => `The TLS connection failed: ${code}.`,
  failed: (cause: string) => `The call failed: ${cause}.`,
  late: (seconds: number | string) => `There was no whole answer within ${seconds} s.`,
  silent: (seconds: number | string) => `There was no answer within ${seconds} s.`,
  answered: (status: number | string) => `The receiver answered ${status}.`,
  redirected: (status: number | string) => `The receiver answered ${status}, and redirects are not followed.`,
  page: (status: number | string) => `The page answers ${status}.`,
  noAddress: 'It is no web address.',
  noEvent: 'The event is not kept any more.',
  noSecret: 'The secret cannot be read, as SECRET of the service was changed. Rotate the secret.',
  notMade: 'The delivery could not be made.',
} as const

/** Why calls to a host were given up; `last` is the problem of the last one. */
export const givenUp = {
  gone: 'The receiver answered 410 Gone.',
  inARow: (calls: number | string, last: string) => `${calls} calls in a row failed, the last one: ${last}`,
  noAnswer: (host: string, last: string) => `${host} gives no answer: ${last}`,
} as const
