import { ApiError } from '../../errors.ts'
import { hashPassword } from './passwords.ts'

/** The characters that a password needs besides a common word. */
const ownCharsMin = 5
/** Shorter words are part of too many good passwords. */
const wordCharsMin = 4

/** The account of a password, and the place of the password in the request. */
export type PasswordOwner = { email: string; name: string | undefined; path: string }

/**
 * Returns the hash of a new password. Throws ApiError 400 if it is easy to guess: one of the 50,000
 * most common ones, or made of the account's own name or address, with fewer than five other
 * characters.
 */
export async function hashNewPassword(password: string, owner: PasswordOwner): Promise<string> {
  const message = await weakness(password, owner)
  if (message !== undefined)
    throw new ApiError(400, 'VALIDATION_ERROR', `${owner.path}: ${message}`, {
      details: [{ path: owner.path, message }],
    })
  return hashPassword(password)
}

/** Returns why a password is easy to guess, or undefined. */
export async function weakness(
  password: string,
  { email, name = '' }: Omit<PasswordOwner, 'path'>,
): Promise<string | undefined> {
  const folded = fold(password)
  if (new Set(folded).size < ownCharsMin) return `must have at least ${ownCharsMin} different characters`
  const words = ['everscan', ...fold(`${name} ${email}`).split(/[^\p{L}\p{N}]+/u), fold(email)]
  const own = words.find((word) => word.length >= wordCharsMin && isMadeOf(folded, word))
  if (own !== undefined) return `must not be made of "${own}", which others can guess`
  const common = await commonPasswords()
  // People add digits and signs to a common password.
  const core = folded.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const isCommon =
    common.has(folded) || (core.length >= wordCharsMin && common.has(core) && isMadeOf(folded, core))
  return isCommon ? 'must not be one of the most common passwords' : undefined
}

/** Whether a password has few characters besides a word. */
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
