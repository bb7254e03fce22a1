import { inLanguage } from './chosen-language.ts'

/** Frequent messages of the service. In English, its own are shown instead. */
export const serviceWords = inLanguage('serviceWords', {
  wrongSignIn: 'The e-mail address or the password is wrong.',
  wrongPassword: 'The password is wrong.',
  wrongCode: 'The code is wrong or was already used.',
  tooManyAttempts: (seconds: string) => `Too many failed attempts. Try again in ${seconds} s.`,
  tooManyRequests: 'Too many requests. Try again in a moment.',
  tooSlow:
    'This took too long to arrive. Check your connection and try again. A file needs a line that is not interrupted.',
  roleNeeded: (needed: string, role: string) => `This requires the role ${needed}; you have ${role}.`,
  unexpected: 'The service failed unexpectedly. Try again; if it happens again, tell the operator.',
  unavailable: 'The service is not available right now. Try again in a moment.',
  required: 'This field is required.',
  atLeast: (chars: string) => `At least ${chars} characters.`,
  atMost: (chars: string) => `At most ${chars} characters.`,
  email: 'This is not an e-mail address.',
  phone: 'This is not a phone number, such as +49 30 123456.',
  address: 'This is not a web address. It begins with http:// or https://.',
  color: 'A colour has the form #RRGGBB.',
  controls: 'Control characters are not possible here.',
})
