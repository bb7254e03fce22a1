/** Refusals of requests: addresses, methods, bodies, forms, and parts that do not answer. */
export const requestProblems = {
  noSuchRecord: 'No record with this id exists in this organization.',
  eventsNotKept: 'The event of Last-Event-ID is not kept any more; this goes on with the oldest that is.',
  nothingHere: 'There is nothing at this URL.',
  urlNotValid: 'The URL is not valid.',
  urlEncodingNotValid: 'The path of the URL has an invalid percent-encoding.',
  methodNotAllowed: 'This endpoint accepts {allowed}, not {method}.',
  formatsRefused: 'Accept refuses image/png. Name another format, of {formats}.',

  // Bodies.
  bodyNotJson: 'The body is not valid JSON.',
  bodyNotUtf8: 'The body is not valid UTF-8.',
  bodyEmpty: 'The body is empty; JSON was expected.',
  bodyTooLarge: 'The body is larger than this endpoint accepts.',
  bodyOfOtherLength: 'The length of the body does not match the header Content-Length.',
  bodyEncoded: 'The body must not be encoded, got Content-Encoding: {encoding}. Send it as it is.',
  contentTypeMissing: 'The header Content-Type is missing.',
  contentTypeNotJson: 'The body must be JSON, with the header Content-Type: application/json.',
  contentTypeNotForm:
    'The body must be a form with a file, with the header Content-Type: multipart/form-data.',
  messagesInBatch: 'Batches are not accepted: send each message alone.',

  // Forms.
  formNotValid: 'The form is incomplete or is not valid multipart/form-data.',
  formFieldUnknown: 'The form has an unknown field.',
  formTooLong: 'The form must have at most {max} fields.',
  fileTooLarge: 'The file is larger than {maxMb} MB. Split it and upload the parts one after another.',
  notFile: 'must be a file with a file name',
  fieldNotJson: 'must be JSON',

  // Fields and headers that depend on others.
  emptyWithout: 'must not be empty without "{field}"',
  tooManyTogether: 'must have at most {max} entries together with "{field}", got {got}',
  inBodyOrQuery: 'must be either in the body or in the query',
  filterOfWaiting: 'must be absent with waiting=true, which takes domainId, page and limit',
  idempotencyKeyForm: 'must have 1 to {max} visible ASCII characters',
  idempotencyKeyUsed: 'This Idempotency-Key was used for another request. Use a new one.',

  // Work that is too much, or does not end.
  replayedDays: 'must leave at most {max} days; the longest period that fits starts at {start}',
  replayedScans: ({ max, start }: { max: number; start: string }) =>
    `must leave at most ${max.toLocaleString('en')} scans; the longest period that fits starts at ${start}`,
  replayedTime:
    'must leave at most what can be read in {seconds} s; the longest period that fits starts at {start}',
  pictureTooLarge:
    'The picture has {bytes} bytes, and a tool returns at most {max}. Choose a smaller size or format "png", or download it from its imageUrl.',
  requestTookTooLong: 'The request took too long to process. Try again in a moment.',
  scanStoreUnavailable: 'The scan store is unavailable right now. Try again in a moment.',
  catalogueUnavailable: 'The catalogue is unavailable right now. Try again in a moment.',
  internalError: 'An internal error occurred. The log has its cause under this request id.',
  clientGone: 'The client left before its request was processed.',
  noSuchTool: 'There is no tool of this name: see tools/list.',
  mailNotSent: 'The mail could not be sent. Try again in a moment.',
} as const
