import type { Role } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { appAddress } from '../api/http/app-addresses.ts'
import { commandOrigin } from '../catalogue/rows/change-origins.ts'
import { deleteUser } from '../catalogue/organizations/delete-user.ts'
import { listAllAccounts } from '../catalogue/installation/installation-lists.ts'
import { addMember, removeMember } from '../catalogue/organizations/members.ts'
import { createOwnOrganization } from '../catalogue/organizations/own-organizations.ts'
import {
  createOperatorPasswordReset,
  createPasswordReset,
} from '../catalogue/organizations/password-resets.ts'
import { createUser, type UserRow } from '../catalogue/accounts/users.ts'
import type { Config } from '../config.ts'
import { inTransaction, type Database } from '../db/database.ts'
import { UsageError, type Action, type Call, type Outcome } from './command.ts'
import { chooseOrganization, requireUser, withCatalogue } from './open-catalogue.ts'
import { textPairs, textTable } from './text-table.ts'
import { readEmail, readName, readRole } from './word-values.ts'

const emailArgument = { name: 'EMAIL', meaning: 'The e-mail address of the account.', read: readEmail }

const list: Action = {
  words: 'users list',
  summary: 'List all accounts with their organizations, oldest first',
  examples: [
    { command: './everscan users list', does: 'who can sign in, and with which role where' },
    { command: './everscan users list --json', does: 'the same for a script' },
  ],
  run: ({ readConfig }) =>
    withCatalogue(readConfig(), async (db) => {
      const accounts = await listAllAccounts(db)
      return {
        text: textTable(
          ['e-mail', 'name', 'two-factor', 'created', 'organizations'],
          accounts.map(({ email, name, twoFactor, createdAtMs, organizations }) => [
            email,
            name,
            twoFactor ? 'yes' : 'no',
            new Date(createdAtMs).toISOString().slice(0, 10),
            organizations.map(({ slug, role }) => `${slug} (${role})`).join(', ') || 'none',
          ]),
        ),
        json: accounts.map(({ createdAtMs, ...account }) => ({
          ...account,
          createdAt: new Date(createdAtMs).toISOString(),
        })),
      }
    }),
}

const create: Action = {
  words: 'users create',
  summary: 'Create an account, and print a link under which its owner sets the password',
  arguments: [{ ...emailArgument, meaning: 'The e-mail address, with which its owner signs in.' }],
  options: [
    { name: 'name', value: 'NAME', meaning: 'Its name; the address unless given.', read: readName },
    {
      name: 'organization',
      value: 'ORGANIZATION',
      meaning: 'Slug or id of the organization to join. Not needed where there is one only.',
    },
    {
      name: 'role',
      value: 'ROLE',
      meaning: 'ADMIN: everything; EDITOR: codes, folders, imports; VIEWER: reads, which is the default.',
      read: readRole,
    },
    {
      name: 'new-organization',
      value: 'NAME',
      meaning: 'Create an organization of this name instead, with the account as its ADMIN.',
      read: readName,
    },
  ],
  examples: [
    {
      command: './everscan users create ada@example.com --name "Ada Lovelace" --role EDITOR',
      does: 'a member of the only organization',
    },
    {
      command: './everscan users create lucia@example.com --new-organization "Trattoria da Lucia"',
      does: 'somebody with an organization of their own',
    },
  ],
  run: createAccount,
}

const reset: Action = {
  words: 'users reset',
  summary: 'Print a link under which the owner of an account sets a new password, once',
  details: [
    `The link works for ${limits.passwordResetHours} h. The password stays as it is until then; setting a new one ends all sessions.`,
  ],
  arguments: [emailArgument],
  options: [
    { name: 'remove-two-factor', meaning: 'Turn two-factor sign-in off as well, at once: for a lost phone.' },
  ],
  examples: [
    { command: './everscan users reset ada@example.com', does: 'a forgotten password' },
    {
      command: './everscan users reset ada@example.com --remove-two-factor',
      does: 'a lost phone without recovery codes',
    },
  ],
  run: ({ input, readConfig, nowMs }) => {
    const config = readConfig()
    return withCatalogue(config, async (db) => {
      const user = await requireUser(db, input.argument('EMAIL'))
      const twoFactorRemoved = input.flag('remove-two-factor')
      const made = await createOperatorPasswordReset(db, user, {
        alsoTwoFactor: twoFactorRemoved,
        origin: commandOrigin,
        nowMs,
      })
      const link = linkOf(config, made)
      return {
        text: [...(twoFactorRemoved ? ['Two-factor sign-in is off.'] : []), link.text].join('\n'),
        json: { id: user.id, email: user.email, twoFactorRemoved, ...link.json },
      }
    })
  },
}

const revoke: Action = {
  words: 'users revoke',
  summary: 'Delete an account, or take it out of one organization',
  details: [
    'Its sessions end, the API keys that it made are revoked, and its codes stay with their organizations. The only ADMIN of an',
    'organization cannot go: create another one first.',
  ],
  arguments: [emailArgument],
  options: [
    {
      name: 'organization',
      value: 'ORGANIZATION',
      meaning: 'Slug or id: leave only this organization, and keep the account.',
    },
  ],
  examples: [
    { command: './everscan users revoke ada@example.com', does: 'somebody who left the company' },
    {
      command: './everscan users revoke ada@example.com --organization acme',
      does: 'somebody who goes on working elsewhere',
    },
  ],
  run: ({ input, readConfig, nowMs }) =>
    withCatalogue(readConfig(), async (db) => {
      const user = await requireUser(db, input.argument('EMAIL'))
      const { id, email } = user
      const wanted = input.option('organization')
      const change = { origin: commandOrigin, nowMs }
      if (wanted === undefined) {
        await deleteUser(db, id, change)
        return { text: `The account ${email} is deleted.`, json: { id, email, deleted: true } }
      }
      const { id: organizationId, slug } = await chooseOrganization(db, wanted)
      const removed = await removeMember(db, { organizationId, userId: id }, change)
      if (removed === undefined) throw new Error(`${email} is no member of ${slug}`)
      return {
        text: `${email} is no member of ${slug} any more.`,
        json: { id, email, deleted: false, organizationId },
      }
    }),
}

export const userActions: readonly Action[] = [list, create, reset, revoke]

async function createAccount({ input, readConfig, nowMs }: Call): Promise<Outcome> {
  const ownName = input.option('new-organization')
  if (ownName !== undefined && (input.option('organization') ?? input.option('role')) !== undefined)
    throw new UsageError(
      '--new-organization does not go with --organization or --role: its creator is ADMIN.',
    )
  const config = readConfig()
  return withCatalogue(config, async (db) => {
    const email = input.argument('EMAIL')
    const joined =
      ownName === undefined ? await chooseOrganization(db, input.option('organization')) : undefined
    const role = joined === undefined ? 'ADMIN' : ((input.option('role') ?? 'VIEWER') as Role)
    const made = await inTransaction(db, async (tx) => {
      const user = await createUser(tx, { email, name: input.option('name') ?? email, nowMs })
      if (user === undefined)
        throw new Error(`${email} has an account already. Invite it to other organizations in the dashboard.`)
      const organization = await joinOrMake(tx, user, { joined, ownName, role, nowMs })
      return { user, organization, reset: await createPasswordReset(tx, { userId: user.id, nowMs }) }
    })
    const link = linkOf(config, made.reset)
    const pairs = textPairs([
      ['Account', made.user.email],
      ['Organization', `${made.organization.slug} (${role})`],
    ])
    return {
      text: `${pairs}\n\n${link.text}`,
      json: {
        id: made.user.id,
        email: made.user.email,
        name: made.user.name,
        organizationId: made.organization.id,
        role,
        ...link.json,
      },
    }
  })
}

type Place = { id: string; slug: string }

async function joinOrMake(
  tx: Database,
  user: UserRow,
  {
    joined,
    ownName = '',
    role,
    nowMs,
  }: { joined: Place | undefined; ownName: string | undefined; role: Role; nowMs: number },
): Promise<Place> {
  const origin = commandOrigin
  if (joined === undefined) return createOwnOrganization(tx, user, { name: ownName, origin, nowMs })
  await addMember(tx, { organizationId: joined.id, user }, { role, origin, nowMs })
  return joined
}

function linkOf(
  { publicUrl, environment }: Config,
  { token, expiresAtMs }: { token: string; expiresAtMs: number },
): { text: string; json: { url: string; expiresAt: string } } {
  const url = appAddress(publicUrl, 'passwordReset', token)
  const lines = [`A new password can be set here, once, within ${limits.passwordResetHours} h:`, url]
  // The service may have a setting that this shell does not have.
  if ((environment['PUBLIC_URL'] ?? '') === '')
    lines.push(`PUBLIC_URL is not set here: put the address of your service in place of ${publicUrl}.`)
  return { text: lines.join('\n'), json: { url, expiresAt: new Date(expiresAtMs).toISOString() } }
}
