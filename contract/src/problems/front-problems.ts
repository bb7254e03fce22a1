/** Refusals by a front, of requests that do not reach an endpoint. */
export const frontProblems = {
  requestNotHttp: 'The request is not valid HTTP.',
  methodNotServed: 'The service accepts {allowed} and no other method.',
  pathOnlyRead: 'This path accepts GET, HEAD and no other method.',
  requestTooSlow:
    'The request took too long to arrive. A body has {seconds} s; a file has longer while it comes at {rate} KiB/s or more.',
  expectationNotMet: 'The service meets no expectation of the header Expect but 100-continue.',
  headTooLarge: 'The head of the request must have at most {max} KiB.',
  targetNotHere: 'The request must be for a path, or for a URL of http or https.',
  hostHeaderNotOne: 'The request must have one header Host.',
  httpVersionStrange: 'The request must be HTTP/1.1 or HTTP/1.0.',
  serviceNotReady: 'The service is starting or overloaded; try again in a moment.',
  answerTooLate:
    'The service did not answer in time. A change may have been made all the same: look before you try again.',
  serviceUpgrading: 'The service is being upgraded; try again in a moment.',
  noSuchChallenge: 'There is no such challenge.',
  tlsAskedFromAfar: 'Only loopback and private addresses may ask, without a proxy.',
  tlsHostMissing: '"domain" must be a host name, such as go.example.com.',
  tlsHostUnknown: '"domain" is neither the host of PUBLIC_URL nor a proved domain.',
} as const
