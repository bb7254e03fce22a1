import { problem, type Problem } from '@everscan/contract/problems/problem.ts'
import { validationError } from '../../request-errors.ts'
import { hashPassword } from './passwords.ts'

/** The characters that a password needs besides a common word. */
const ownCharsMin = 5
/** Shorter words are part of too many good passwords. */
const wordCharsMin = 3
const commonCharsMin = 4

/** The account of a password, and the place of the password in the request. */
export type PasswordOwner = { email: string; name: string | undefined; path: string }

/**
 * Returns the hash of a new password. Throws ApiError 400 if it is easy to guess: one of the 50,000
 * most common ones, or made of the account's own name or address, with fewer than five other
 * characters or only digits and signs.
 */
export async function hashNewPassword(password: string, owner: PasswordOwner): Promise<string> {
  const found = await weakness(password, owner)
  if (found !== undefined) throw validationError([{ path: owner.path, ...found }])
  return hashPassword(password)
}

/** Returns why a password is easy to guess, or undefined. */
export async function weakness(
  password: string,
  { email, name = '' }: Omit<PasswordOwner, 'path'>,
): Promise<Problem | undefined> {
  const folded = fold(password)
  if (new Set(folded).size < ownCharsMin) return problem('tooFewDifferentCharacters', { min: ownCharsMin })
  const own = ownWord(folded, fold(`${name} ${email}`), fold(email))
  if (own !== undefined) return problem('passwordOfOwnWord', { word: own })
  const common = await commonPasswords()
  // People add digits and signs to a common password.
  const core = folded.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const isCommon =
    common.has(folded) || (core.length >= commonCharsMin && common.has(core) && isMadeOf(folded, core))
  return isCommon ? problem('passwordCommon') : undefined
}

/**
 * Returns the word of the account that a password is made of: without all such words, it has few
 * characters, or only digits and signs.
 */
function ownWord(folded: string, known: string, email: string): string | undefined {
  const mailbox = email.slice(0, email.lastIndexOf('@'))
  const words = ['everscan', email, mailbox, ...known.split(/[^\p{L}\p{N}]+/u)]
    .filter((word) => word.length >= wordCharsMin && folded.includes(word))
    .toSorted((one, other) => other.length - one.length)
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), folded)
  if (words.length > 0 && (rest.length < ownCharsMin || lettersOf(rest) === '')) return words[0]
  // The mailbox with digits and signs anywhere, such as "jo12345678" for jo@example.com.
  const letters = lettersOf(mailbox)
  return letters !== '' && lettersOf(folded) === letters ? mailbox : undefined
}

function lettersOf(text: string): string {
  return text.replaceAll(/[^\p{L}]+/gu, '')
}

/** Whether a password has few characters besides a common word. */
function isMadeOf(folded: string, word: string): boolean {
  return folded.includes(word) && folded.replaceAll(word, '').length < ownCharsMin
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

let common: Promise<ReadonlySet<string>> | undefined

/** About 5 MB, loaded when the first password is set. */
async function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  )
  return common
}
