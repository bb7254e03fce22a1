import { problem } from '@everscan/contract/problems/problem.ts'
import { argon2, argon2Sync, randomBytes, timingSafeEqual, type Argon2Parameters } from 'node:crypto'
import { promisify } from 'node:util'
import { inTurn, ownTurns } from '../../turns/own-turns.ts'

/** OWASP's first choice for Argon2id: 19 MiB, 2 passes, 1 lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const
const saltBytes = 16

const derive = promisify((parameters: Argon2Parameters, done: (error: Error | null, tag: Buffer) => void) =>
  argon2('argon2id', parameters, done),
)

/**
 * Returns the hash of a password with a new salt, as a PHC string:
 * `$argon2id$v=19$m=…,t=…,p=…$salt$hash`. `holder` is the organization whose password it is; those
 * of accounts share a turn.
 */
export async function hashPassword(password: string, holder = ''): Promise<string> {
  const salt = randomBytes(saltBytes)
  const { memory, passes, parallelism } = cost
  const tag = await inOwnTurn(holder, () =>
    derive({ ...cost, message: password.normalize('NFKC'), nonce: salt }),
  )
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

/**
 * Matches no password. Verifying against this hash makes an unknown account cost the same time as a
 * known account.
 */
export const dummyHash = `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(Buffer.alloc(saltBytes))}$${unpadded(Buffer.alloc(cost.tagLength))}`

/**
 * Whether a text is a PHC string that costs at most a few times as much to verify as one of
 * `hashPassword`: one from another installation must not hold this one up.
 */
export function isPasswordHash(phc: string): boolean {
  const match =
    /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{22,86})\$([A-Za-z0-9+/]{22,86})$/.exec(
      phc,
    )
  const [memory = 0, passes = 0, parallelism = 0] = (match ?? []).slice(1, 4).map(Number)
  const isUsual = memory >= 8 * parallelism && passes >= 1 && parallelism >= 1 && parallelism <= 16
  return isUsual && memory * passes <= 4 * cost.memory * cost.passes
}

/** Whether a password matches a PHC string, also for a hash with other cost parameters. */
export async function verifyPassword(password: string, phc: string, holder = ''): Promise<boolean> {
  const asked = readHash(password, phc)
  if (asked === undefined) return false
  return timingSafeEqual(await inOwnTurn(holder, () => derive(asked.parameters)), asked.expected)
}

/** The same on this thread, which it holds up. */
export function verifyPasswordNow(password: string, phc: string): boolean {
  const asked = readHash(password, phc)
  return asked !== undefined && timingSafeEqual(argon2Sync('argon2id', asked.parameters), asked.expected)
}

/** Returns how to hash a password for the comparison. Undefined: the text is no PHC string. */
function readHash(
  password: string,
  phc: string,
): { parameters: Argon2Parameters; expected: Buffer } | undefined {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(phc)
  if (match === null) return undefined
  const [memory = 0, passes = 0, parallelism = 0] = match.slice(1, 4).map(Number)
  const nonce = Buffer.from(match[4] ?? '', 'base64')
  const expected = Buffer.from(match[5] ?? '', 'base64')
  const message = password.normalize('NFKC')
  const tagLength = expected.length
  return { parameters: { memory, passes, parallelism, tagLength, message, nonce }, expected }
}

function inOwnTurn<Result>(holder: string, work: () => Promise<Result>): Promise<Result> {
  const refused = problem('tooManySignIns')
  return inTurn(ownTurns.passwords, holder, { work, refused })
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}
