import {
  mergeAccess,
  type AccessInput,
  type StoredAccess,
  type UpdateAccess,
} from '@everscan/contract/access/access.ts'
import { accessProblems } from '@everscan/contract/access/access-problems.ts'
import { hashPassword, verifyPassword } from '../../catalogue/accounts/passwords.ts'
import type { QrCodeChanges } from '../../catalogue/codes/qr-code-merging.ts'
import { PasswordHash } from '../../catalogue/rows/password-hash.ts'
import type { QrCodeRow } from '../../catalogue/rows/qr-code-row.ts'
import { backProblem } from '../validation/content-problems.ts'
import { validationError } from '../../request-errors.ts'

/** Hashes passwords of one request: an equal password of many codes only once. */
export type HashOf = (password: string) => Promise<PasswordHash>

export function createHashOf(organizationId: string): HashOf {
  const hashes = new Map<string, Promise<PasswordHash>>()
  return (password) => {
    let hash = hashes.get(password)
    if (hash === undefined) {
      hash = hashPassword(password, organizationId).then((text) => new PasswordHash(text))
      hashes.set(password, hash)
    }
    return hash
  }
}

/** The present state of a code; a new code has nothing. */
type Before = Pick<QrCodeRow, 'access' | 'passwordHash'>

/**
 * Returns the changes of access in a request, with the password as a hash. A password that the code
 * has already changes nothing. Throws ApiError 400 with every problem.
 */
export async function acceptAccess(
  input: UpdateAccess | null | undefined,
  before: Before,
  { publicUrl, hashOf }: { publicUrl: string; hashOf: HashOf },
): Promise<Pick<QrCodeChanges, 'access' | 'passwordHash'>> {
  if (input === undefined) return {}
  if (input === null) return { access: null, passwordHash: null }
  const { password } = input
  const access = checkedAccess(input, before.access, publicUrl)
  if (password === undefined || password === null) return { access, passwordHash: password }
  const isSame = before.passwordHash !== null && (await verifyPassword(password, before.passwordHash.text))
  return { access, passwordHash: isSame ? undefined : await hashOf(password) }
}

function checkedAccess(
  input: UpdateAccess,
  before: StoredAccess | null,
  publicUrl: string,
): Omit<AccessInput, 'password'> {
  const { password: _, hasPassword: __, scanCount: ___, ...access } = input
  const problems = accessProblems(access, mergeAccess(before, access), {
    leadsBack: (url) => backProblem(url, publicUrl),
  })
  if (problems.length > 0) throw validationError(problems)
  return access
}

/** The access of a code, as it is or would be after a change. */
type TriedAccess = Pick<QrCodeRow, 'access' | 'hasPassword' | 'scanCount'>

/**
 * Returns what would stand before a code after a change, which is checked like one. A password is
 * neither hashed nor kept.
 */
export function tryAccess(
  input: UpdateAccess | null | undefined,
  before: TriedAccess,
  publicUrl: string,
): TriedAccess {
  if (input === undefined) return before
  if (input === null) return { access: null, hasPassword: false, scanCount: 0 }
  const access = mergeAccess(before.access, checkedAccess(input, before.access, publicUrl))
  const { password } = input
  return {
    access,
    hasPassword: password === undefined ? before.hasPassword : password !== null,
    scanCount: access?.scanLimit === undefined ? 0 : before.scanCount,
  }
}

/** The change that replaces the stored access of a code, and leaves its password. */
export function accessReplacement(before: StoredAccess | null, access: StoredAccess | null): AccessInput {
  const removed = Object.fromEntries(Object.keys(before ?? {}).map((field) => [field, null]))
  return { ...removed, ...access }
}
