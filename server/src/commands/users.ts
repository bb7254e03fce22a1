import type { Role } from '@everscan/contract/schema/common.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { countText } from '../amounts.ts'
import { appAddress } from '../product/mails/app-addresses.ts'
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
import type { Config } from '../settings/settings.ts'
import { inTransaction, type Database } from '../db/database.ts'
import { UsageError, type Action, type Call, type Outcome } from './command.ts'
import { chooseOrganization, requireUser, withCatalogue } from './open-catalogue.ts'
import { textPairs, textTable } from './text-table.ts'
import { readEmail, readName, readNewEmail, readRole } from './word-values.ts'

const emailArgument = { name: 'EMAIL', meaning: 'The e-mail address of the account.', read: readEmail }

const list: Action = {
  words: 'users list',
  summary: 'List all accounts with their organizations, oldest first',
  examples: [
    { command: './everscan users list', does: 'the accounts, and their roles in each organization' },
    { command: './everscan users list --json', does: 'the same for a script' },
  ],
  run: ({ readConfig }) =>
    withCatalogue(readConfig(), async (db) => {
      const accounts = await listAllAccounts(db)
      return {
        text: textTable(
          ['e-mail', 'name', 'confirmed', 'two-factor', 'created', 'organizations'],
          accounts.map(({ email, name, emailConfirmedAtMs, twoFactor, createdAtMs, organizations }) => [
            email,
            name,
            emailConfirmedAtMs === null ? 'no' : 'yes',
            twoFactor ? 'yes' : 'no',
            new Date(createdAtMs).toISOString().slice(0, 10),
            organizations.map(({ slug, role }) => `${slug} (${role})`).join(', ') || 'none',
          ]),
        ),
        json: accounts.map(({ createdAtMs, emailConfirmedAtMs, ...account }) => ({
          ...account,
          createdAt: new Date(createdAtMs).toISOString(),
          emailConfirmedAt: emailConfirmedAtMs === null ? null : new Date(emailConfirmedAtMs).toISOString(),
        })),
      }
    }),
}

const create: Action = {
  words: 'users create',
  summary: 'Create an account, and print a link for its owner to set the password',
  arguments: [{ ...emailArgument, meaning: 'The e-mail address for signing in.', read: readNewEmail }],
  options: [
    { name: 'name', value: 'NAME', meaning: 'The name of the owner. Default: the address.', read: readName },
    {
      name: 'organization',
      value: 'ORGANIZATION',
      meaning: 'Slug or id of the organization to join. Not needed if there is only one.',
    },
    {
      name: 'role',
      value: 'ROLE',
      meaning: 'ADMIN: everything; EDITOR: codes, folders, imports; VIEWER: reads. Default: VIEWER.',
      read: readRole,
    },
    {
      name: 'new-organization',
      value: 'NAME',
      meaning: 'Create an organization with this name instead, with the account as its ADMIN.',
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
      does: 'an account with a new organization',
    },
  ],
  run: createAccount,
}

const reset: Action = {
  words: 'users reset',
  summary: 'Print a link for the owner of an account to set a new password, once',
  details: [
    `The link works for ${limits.passwordResetHours} h. The old password stays valid until the owner sets a new one, which ends all sessions.`,
  ],
  arguments: [emailArgument],
  options: [
    {
      name: 'remove-two-factor',
      meaning: 'Also turn off two-factor sign-in and remove all passkeys at once, for a lost phone.',
    },
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
      const { passkeysRemoved } = made
      const link = linkOf(config, made)
      const removed = [
        ...(twoFactorRemoved ? ['Two-factor sign-in is off.'] : []),
        ...(passkeysRemoved > 0 ? [`Removed: ${countText(passkeysRemoved, 'passkey')}.`] : []),
      ]
      return {
        text: [...removed, link.text].join('\n'),
        json: { id: user.id, email: user.email, twoFactorRemoved, passkeysRemoved, ...link.json },
      }
    })
  },
}

const revoke: Action = {
  words: 'users revoke',
  summary: 'Delete an account, or remove it from one organization',
  details: [
    'Its sessions end, the API keys that it made are revoked, and its codes stay with their organizations. The only ADMIN of an',
    'organization cannot be removed: create another ADMIN first.',
  ],
  arguments: [emailArgument],
  options: [
    {
      name: 'organization',
      value: 'ORGANIZATION',
      meaning: 'Slug or id: remove the account from this organization only, and keep the account.',
    },
  ],
  examples: [
    {
      command: './everscan users revoke ada@example.com',
      does: 'the account of a person who left the company',
    },
    {
      command: './everscan users revoke ada@example.com --organization acme',
      does: 'a member who stays in other organizations',
    },
  ],
  run: ({ input, readConfig, nowMs }) =>
    withCatalogue(readConfig(), async (db) => {
      const user = await requireUser(db, input.argument('EMAIL'))
      const { id, email } = user
      const fromOrganization = input.option('organization')
      const change = { origin: commandOrigin, nowMs }
      if (fromOrganization === undefined) {
        await deleteUser(db, id, change)
        return { text: `The account ${email} is deleted.`, json: { id, email, deleted: true } }
      }
      const { id: organizationId, slug } = await chooseOrganization(db, fromOrganization)
      const removed = await removeMember(db, { organizationId, userId: id }, change)
      if (removed === undefined) throw new Error(`${email} is not a member of ${slug}`)
      return {
        text: `${email} is no longer a member of ${slug}.`,
        json: { id, email, deleted: false, organizationId },
      }
    }),
}

export const userActions: readonly Action[] = [list, create, reset, revoke]

async function createAccount({ input, readConfig, nowMs }: Call): Promise<Outcome> {
  const newOrganization = input.option('new-organization')
  if (newOrganization !== undefined && (input.option('organization') ?? input.option('role')) !== undefined)
    throw new UsageError(
      '--new-organization cannot be combined with --organization or --role: the account becomes ADMIN.',
    )
  const config = readConfig()
  return withCatalogue(config, async (db) => {
    const email = input.argument('EMAIL')
    const joined =
      newOrganization === undefined ? await chooseOrganization(db, input.option('organization')) : undefined
    const role = joined === undefined ? 'ADMIN' : ((input.option('role') ?? 'VIEWER') as Role)
    const { actor } = commandOrigin
    const made = await inTransaction(db, async (tx) => {
      const user = await createUser(tx, { email, name: input.option('name') ?? email, actor, nowMs })
      if (user === undefined)
        throw new Error(`${email} already has an account. Invite it to other organizations in the dashboard.`)
      const organization = await joinOrCreateOrganization(tx, user, { joined, newOrganization, role, nowMs })
      return { user, organization, reset: await createPasswordReset(tx, { userId: user.id, actor, nowMs }) }
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

async function joinOrCreateOrganization(
  tx: Database,
  user: UserRow,
  {
    joined,
    newOrganization = '',
    role,
    nowMs,
  }: { joined: Place | undefined; newOrganization: string | undefined; role: Role; nowMs: number },
): Promise<Place> {
  const origin = commandOrigin
  if (joined === undefined) return createOwnOrganization(tx, user, { name: newOrganization, origin, nowMs })
  await addMember(tx, { organizationId: joined.id, user }, { role, origin, nowMs })
  return joined
}

function linkOf(
  { publicUrl, environment }: Config,
  { token, expiresAtMs }: { token: string; expiresAtMs: number },
): { text: string; json: { url: string; expiresAt: string } } {
  const url = appAddress(publicUrl, 'passwordReset', token)
  const lines = [`Set a new password here, once, within ${limits.passwordResetHours} h:`, url]
  // The service may have settings that this shell lacks.
  if ((environment['PUBLIC_URL'] ?? '') === '')
    lines.push(`PUBLIC_URL is not set here: replace ${publicUrl} with the address of your service.`)
  return { text: lines.join('\n'), json: { url, expiresAt: new Date(expiresAtMs).toISOString() } }
}
