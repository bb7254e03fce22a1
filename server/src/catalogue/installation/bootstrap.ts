import { patterns } from '@everscan/contract/schema/patterns.ts'
import { randomBytes } from 'node:crypto'
import { inTransaction, lockName, type Database } from '../../db/database.ts'
import { isPlausibleApiKey } from '../organizations/api-key-values.ts'
import { createApiKey } from '../organizations/api-keys.ts'
import { systemActor, systemOrigin } from '../rows/change-origins.ts'
import { createOrganization } from '../organizations/organizations.ts'
import { FatalError } from '../../errors.ts'
import { weakness } from '../accounts/new-passwords.ts'
import { hashPassword } from '../accounts/passwords.ts'
import { createUser, saveMember } from '../accounts/users.ts'
import { markOperator } from './operator.ts'

/** As many as guesses cannot reach, whatever people choose. */
const apiKeyCharsMin = 32

export type BootstrapOptions = {
  organizationName: string
  email: string
  /** Random by default. */
  password?: string | undefined
  /**
   * Random by default. Any text of at least 32 characters is valid, but a key in our format needs a
   * valid checksum.
   */
  apiKey?: string | undefined
}

/** The created rows. Password and key are shown to the operator only once. */
export type Bootstrapped = {
  organizationId: string
  organizationName: string
  userId: string
  email: string
  password: string
  apiKey: string
}

/**
 * Creates the first organization, which is the operator's, its ADMIN account and its ADMIN key if
 * the catalogue is empty; otherwise returns undefined. Among processes that start together, one
 * creates them.
 */
export async function bootstrap(db: Database, options: BootstrapOptions): Promise<Bootstrapped | undefined> {
  if (!(await isEmpty(db))) return undefined
  const { organizationName, apiKey } = options
  await checkChosen(options)
  const password = options.password ?? randomBytes(15).toString('base64url')
  // Hashing runs before the transaction: it takes about 30 ms, during which SQLite could write
  // nothing else.
  const passwordHash = await hashPassword(password)
  return inTransaction(db, async (tx) => {
    await lockName(tx, 'bootstrap')
    if (!(await isEmpty(tx))) return undefined
    const organization = await createOrganization(tx, { name: organizationName })
    await markOperator(tx, organization.id)
    const user = await createUser(tx, {
      email: options.email,
      name: 'Administrator',
      passwordHash,
      actor: systemActor,
    })
    if (user === undefined) throw new Error(`could not create an account for ${options.email}`)
    await saveMember(tx, organization.id, { userId: user.id, role: 'ADMIN' })
    const { value } = await createApiKey(tx, organization.id, {
      name: 'First key',
      role: 'ADMIN',
      userId: user.id,
      value: apiKey,
      origin: systemOrigin,
    })
    return {
      organizationId: organization.id,
      organizationName: organization.name,
      userId: user.id,
      email: user.email,
      password,
      apiKey: value,
    }
  })
}

async function isEmpty(db: Database): Promise<boolean> {
  const organization = await db.kysely.selectFrom('organizations').select('id').limit(1).executeTakeFirst()
  const user = await db.kysely.selectFrom('users').select('id').limit(1).executeTakeFirst()
  return organization === undefined && user === undefined
}

/** Throws a FatalError for a key or a password that others could guess. */
async function checkChosen({ apiKey, password, email }: BootstrapOptions): Promise<void> {
  if (apiKey !== undefined && apiKey.length < apiKeyCharsMin)
    throw new FatalError(
      `BOOTSTRAP_API_KEY: must have at least ${apiKeyCharsMin} characters, got ${apiKey.length}; choose another text, or leave it out`,
    )
  if (apiKey !== undefined && !isPlausibleApiKey(apiKey))
    throw new FatalError(
      'BOOTSTRAP_API_KEY: must not look like a generated key with a wrong checksum; choose another text, or leave it out',
    )
  if (!new RegExp(patterns.mailAddress).test(email))
    throw new FatalError(`BOOTSTRAP_EMAIL: must be an e-mail address, got "${email}"`)
  const weak = password === undefined ? undefined : await weakness(password, { email, name: undefined })
  if (weak !== undefined)
    throw new FatalError(`BOOTSTRAP_PASSWORD: ${weak.message}; choose another one, or leave it out`)
}
