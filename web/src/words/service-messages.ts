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
  [
    /^This requires the role (\w+); you have (\w+)\.$/,
    (needed, role) => serviceWords.roleNeeded(roleName(needed), roleName(role)),
  ],
  [/^(?:is required|must not be empty|must not be blank)$/, () => serviceWords.required],
  [/^must have at least (\d+) characters/, serviceWords.atLeast],
  [/^must have at most (\d+) characters/, serviceWords.atMost],
  [/^must be an e-mail address/, () => serviceWords.email],
  [/^must be a phone number/, () => serviceWords.phone],
  [/^must (?:begin with|be an absolute) http/, () => serviceWords.address],
  [/^must be a hex color/, () => serviceWords.color],
  [/^must .*control characters$/, () => serviceWords.controls],
  [/^must be at least (\d[\d.]*), got /, serviceWords.least],
  [/^must be at most (\d[\d.]*), got /, serviceWords.most],
  [/^must be in the future/, () => serviceWords.future],
  [/^must not be one of the most common passwords$/, () => serviceWords.commonPassword],
  [/^must have at least (\d+) different characters$/, serviceWords.sameCharacters],
  [/^must not be made of "(.+)", which others can guess$/, serviceWords.guessable],
  [/^must be the 6 digits that the authenticator shows$/, () => serviceWords.sixDigits],
  [/^must be a recovery code that was not used yet$/, () => serviceWords.usedRecoveryCode],
  [/^must have 8 to 63 characters for WPA/, () => serviceWords.wpaPassword],
  [/^is required for WPA/, () => serviceWords.wpaRequired],
  [/^must be left out for a network without a password/, () => serviceWords.openNetwork],
  [/^must have at most 32 bytes in UTF-8/, () => serviceWords.networkName],
  [/^must be 4 to 32 letters, digits or "-"$/, () => serviceWords.shortCode],
  [/^must be 1 to 128 letters, digits or "-_/, () => serviceWords.exactShortCode],
  [/^must not contain the same entry twice$/, () => serviceWords.twice],
  [/^must not be that of another (?:rule|arm)$/, () => serviceWords.usedName],
  [/^must be a time of day, /, () => serviceWords.time],
  [/^must be an ISO 3166-2 code/, () => serviceWords.region],
  [/^must consist of letters, digits and "-" between dots$/, () => serviceWords.hostname],
  [/^The account with this e-mail address is already a member\.$/, () => serviceWords.member],
  [/^This e-mail address already has an account\. Sign in\.$/, () => serviceWords.hasAccount],
  [
    /^This (?:token|link) is unknown.* or (?:used or )?(?:has )?(?:expired|ended)\./,
    () => serviceWords.unknownLink,
  ],
  [/^Too many people are signing in right now\./, () => serviceWords.tooManyPeople],
  [/^There is no TXT record (\S+)\. Set .* with the value (\S+)\.$/, serviceWords.noTxtRecord],
  [/^The TXT record (\S+) has another value\. Set .* with the value (\S+)\. /, serviceWords.otherTxtRecord],
  [/^Another organization of this installation has proved the domain\.$/, () => serviceWords.domainTaken],
]

function roleName(role = ''): string {
  const names: Readonly<Record<string, string>> = serviceWords.roleNames
  return Object.hasOwn(names, role) ? (names[role] ?? role) : role
}

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
