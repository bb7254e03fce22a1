import { inLanguage } from './chosen-language.ts'

/** Failures that say enough by their code. In English, the service's own words are shown. */
export const serviceWords = inLanguage('serviceWords', {
  tooManyRequests: 'Too many requests. Try again in a moment.',
  tooSlow:
    'This took too long to arrive. Check your connection and try again. A file needs a line that is not interrupted.',
  unexpected: 'The service failed unexpectedly. Try again; if it happens again, tell the operator.',
  unavailable: 'The service is not available right now. Try again in a moment.',
})
