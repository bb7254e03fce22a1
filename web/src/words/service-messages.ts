import type { EverscanError } from '@everscan/client/create-client.ts'
import { currentLanguage } from './chosen-language.ts'
import { serviceWords } from './service-words.ts'

type Known = readonly [message: RegExp, words: (...parts: string[]) => string]

/** Frequent messages as the service writes them. The others stay English. */
const known: readonly Known[] = [
  [/^The e-mail address or the password is wrong\.$/, () => serviceWords.wrongSignIn],
  [/^The password is wrong\.$/, () => serviceWords.wrongPassword],
  [/^The code is wrong or was already used\.$/, () => serviceWords.wrongCode],
  [/^Too many failed attempts\. Try again in (\d+) s\.$/, serviceWords.tooManyAttempts],
  [/^This requires the role (\w+); you have (\w+)\.$/, serviceWords.roleNeeded],
  [/^(?:is required|must not be empty|must not be blank)$/, () => serviceWords.required],
  [/^must have at least (\d+) characters/, serviceWords.atLeast],
  [/^must have at most (\d+) characters/, serviceWords.atMost],
  [/^must be an e-mail address/, () => serviceWords.email],
  [/^must be a phone number/, () => serviceWords.phone],
  [/^must (?:begin with|be an absolute) http/, () => serviceWords.address],
  [/^must be a hex color/, () => serviceWords.color],
  [/^must .*control characters$/, () => serviceWords.controls],
]

/** Messages of codes that have one cause only, whatever the service says of it. */
const byCode: Readonly<Record<string, string>> = {
  RATE_LIMITED: serviceWords.tooManyRequests,
  INTERNAL_ERROR: serviceWords.unexpected,
  UNAVAILABLE: serviceWords.unavailable,
}

/** Returns a message of the service in the language of the page. Unknown ones stay as they are. */
export function inWords(message: string): string {
  if (currentLanguage() === 'en') return message
  for (const [pattern, words] of known) {
    const [, ...parts] = pattern.exec(message) ?? []
    if (pattern.test(message)) return words(...parts)
  }
  return message
}

/** Returns the message of a failed request in the language of the page. */
export function failureInWords({ code, message }: EverscanError): string {
  // The message of the service is for programs.
  if (code === 'REQUEST_TIMEOUT') return serviceWords.tooSlow
  const words = inWords(message)
  return words === message && currentLanguage() !== 'en' ? (byCode[code] ?? message) : words
}
