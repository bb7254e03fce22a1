import { statSync } from 'node:fs'
import { findUserByEmail, type UserRow } from '../catalogue/accounts/users.ts'
import {
  listAllOrganizations,
  type ListedOrganization,
} from '../catalogue/installation/installation-lists.ts'
import type { Config } from '../settings/settings.ts'
import type { Database } from '../db/database.ts'
import { errorCode } from '../db/errors.ts'
import { openDatabase } from '../db/open-database.ts'
import { requireReadyCatalogue } from '../db/migrations/schema-state.ts'
import { sqliteFile } from '../db/dialects/sqlite.ts'
import { createLog } from '../log.ts'
import { refuseMovedCatalogue } from '../processes/move-marker.ts'
import { UsageError } from './command.ts'

const startFirst = 'Start the service once to create it: ./everscan start.'

/**
 * Opens the catalogue that the settings name, calls `work` with it, and closes it. Never creates
 * one: throws an Error that says what is missing.
 */
export async function withCatalogue<Result>(
  { databaseUrl, dataDir }: Config,
  work: (db: Database) => Promise<Result>,
): Promise<Result> {
  refuseMovedCatalogue({ databaseUrl, dataDir })
  if (databaseUrl === undefined) requireFile(sqliteFile(dataDir))
  // Standard output holds only the output of the command.
  const log = createLog({ level: 'warn', role: 'command' }, process.stderr)
  const db = await openDatabase({ databaseUrl, dataDir, role: 'writer', log })
  try {
    await requireReadyCatalogue(db)
    return await work(db)
  } finally {
    await db.close()
  }
}

function requireFile(file: string): void {
  try {
    statSync(file)
  } catch (error) {
    if (errorCode(error) === 'EACCES')
      throw new Error(`this user cannot read ${file}: run the command as the user of the service.`, {
        cause: error,
      })
    throw new Error(
      `there is no catalogue at ${file}. Set DATA_DIR or DATABASE_URL as the service has them. ${startFirst}`,
      { cause: error },
    )
  }
}

/** Returns the organization with this id or slug; without one, the only organization. */
export async function chooseOrganization(
  db: Database,
  idOrSlug: string | undefined,
): Promise<ListedOrganization> {
  const all = await listAllOrganizations(db)
  const [only] = all
  if (idOrSlug === undefined) {
    if (only === undefined) throw new Error('there is no organization yet: everscan organizations create')
    if (all.length === 1) return only
    throw new UsageError(
      `there are ${all.length} organizations: choose one with --organization, by its slug or id. "everscan organizations list" shows them.`,
    )
  }
  const found = all.find(({ id, slug }) => id === idOrSlug || slug === idOrSlug)
  if (found !== undefined) return found
  throw new Error(
    `no organization has the slug or id "${idOrSlug}". "everscan organizations list" shows them.`,
  )
}

/** Returns the account with this address. Throws an Error if there is none. */
export async function requireUser(db: Database, email: string): Promise<UserRow> {
  const user = await findUserByEmail(db, email)
  if (user !== undefined) return user
  throw new Error(`no account has the e-mail address ${email}. "everscan users list" shows them.`)
}
