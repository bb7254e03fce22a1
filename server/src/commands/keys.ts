import { keyScopes, type KeyScope } from '@everscan/contract/resources/api-keys.ts'
import type { Role } from '@everscan/contract/schema/common.ts'
import {
  createApiKey,
  listApiKeys,
  revokeApiKey,
  type ApiKeyRow,
} from '../catalogue/organizations/api-keys.ts'
import { commandOrigin } from '../catalogue/rows/change-origins.ts'
import type { Database } from '../db/database.ts'
import { readInstallation } from '../db/installation.ts'
import { rememberKeys } from '../processes/known-keys-file.ts'
import { UsageError, type Action, type Option } from './command.ts'
import { chooseOrganization, withCatalogue } from './open-catalogue.ts'
import { textPairs, textTable } from './text-table.ts'
import { readDate, readName, readNetworks, readRole, readScopes } from './word-values.ts'

const pageLimit = 1_000

const organizationOption: Option = {
  name: 'organization',
  value: 'ORGANIZATION',
  meaning: 'Slug or id of the organization. Not needed if there is only one.',
}

const list: Action = {
  words: 'keys list',
  summary: 'List the API keys of an organization, newest first',
  details: ['The value of a key is not stored: the list shows only how it begins.'],
  options: [organizationOption],
  examples: [
    { command: './everscan keys list', does: 'keys of the only organization' },
    { command: './everscan keys list --organization acme', does: 'keys of one of several organizations' },
  ],
  run: ({ input, readConfig, nowMs }) =>
    withCatalogue(readConfig(), async (db) => {
      const { id } = await chooseOrganization(db, input.option('organization'))
      const keys = await allKeysOf(db, id)
      return {
        text: textTable(
          ['name', 'role', 'state', 'begins with', 'created', 'by', 'last used', 'scopes', 'networks', 'id'],
          keys.map((key) => [
            key.name,
            key.role,
            stateOf(key, nowMs),
            key.prefix,
            dayOf(key.createdAtMs),
            key.madeBy.kind === 'api-key' ? `key ${key.madeBy.name}` : key.madeBy.name,
            key.lastUsedAtMs === null ? 'never' : dayOf(key.lastUsedAtMs),
            ...boundsOf(key),
            key.id,
          ]),
        ),
        json: keys.map((key) => recordOf(key)),
      }
    }),
}

const create: Action = {
  words: 'keys create',
  summary: 'Create an API key, and print its value, which is shown only once',
  details: [
    'The key belongs to the organization, not to an account: it keeps working after a member leaves.',
  ],
  arguments: [
    { name: 'NAME', meaning: 'What the key is for; may contain spaces.', read: readName, rest: true },
  ],
  options: [
    {
      name: 'role',
      value: 'ROLE',
      meaning: 'ADMIN: everything; EDITOR: codes, folders, imports; VIEWER: reads.',
      read: readRole,
      required: true,
    },
    organizationOption,
    {
      name: 'expires',
      value: 'DATE',
      meaning: 'When the key expires: 2027-12-31 is the end of that day in UTC. Default: never.',
      read: readDate,
    },
    {
      name: 'scopes',
      value: 'SCOPES',
      meaning: `Limits the key to parts of the API: ${keyScopes.join(', ')}; several with commas.`,
      read: readScopes,
    },
    {
      name: 'networks',
      value: 'NETWORKS',
      meaning:
        'Addresses or CIDR networks from which the key is accepted; several with commas. Default: all.',
      read: readNetworks,
    },
  ],
  examples: [
    { command: './everscan keys create Print shop --role EDITOR', does: 'a key for a program' },
    {
      command: './everscan keys create Audit --role VIEWER --expires 2027-12-31 --organization acme',
      does: 'a read-only key that expires',
    },
    {
      command:
        './everscan keys create Report --role VIEWER --scopes analytics:read --networks 203.0.113.0/24',
      does: 'only for analytics, and only from one network',
    },
    { command: 'KEY=$(./everscan keys create CI --role EDITOR --json | jq -r .key)', does: 'in a script' },
  ],
  run: ({ input, readConfig, nowMs }) => {
    const expires = input.option('expires')
    const expiresAtMs = expires === undefined ? null : Date.parse(expires)
    if (expiresAtMs !== null && expiresAtMs <= nowMs)
      throw new UsageError(`--expires must be in the future, got ${expires}.`)
    return withCatalogue(readConfig(), async (db) => {
      const organization = await chooseOrganization(db, input.option('organization'))
      const { key, value } = await createApiKey(db, organization.id, {
        name: input.argument('NAME'),
        role: input.option('role') as Role,
        expiresAtMs,
        scopes: (input.option('scopes')?.split(',') ?? null) as KeyScope[] | null,
        networks: input.option('networks')?.split(',') ?? null,
        origin: commandOrigin,
        nowMs,
      })
      const pairs: [string, string][] = [
        ['API key', value],
        ['Role', key.role],
        ['Scopes', boundsOf(key)[0]],
        ['Networks', boundsOf(key)[1]],
        ['Organization', `${organization.name} (${organization.id})`],
        ['Ends', key.expiresAtMs === null ? 'never' : new Date(key.expiresAtMs).toISOString()],
        ['Id', key.id],
      ]
      return {
        text: `${textPairs(pairs)}\n\nThe key is shown only this once: store it now.`,
        json: { ...recordOf(key), organizationId: organization.id, key: value },
      }
    })
  },
}

const revoke: Action = {
  words: 'keys revoke',
  summary: 'Revoke an API key for good: requests with it are refused from now on',
  arguments: [{ name: 'ID', meaning: 'The id of the key, as in "everscan keys list".' }],
  options: [organizationOption],
  examples: [{ command: './everscan keys revoke key_01jqzv4x8m3c5t7w9y2b4d6f8h', does: 'a key that leaked' }],
  run: ({ input, readConfig, nowMs }) => {
    const config = readConfig()
    return withCatalogue(config, async (db) => {
      const organization = await chooseOrganization(db, input.option('organization'))
      const id = input.argument('ID')
      const target = { organizationId: organization.id, id }
      const key = await revokeApiKey(db, target, { origin: commandOrigin, nowMs })
      if (key === undefined)
        throw new Error(`the organization ${organization.slug} has no key with the id ${id}`)
      // A running service also does this by itself.
      const installation = await readInstallation(db)
      if (installation !== undefined) rememberKeys(config.dataDir, installation.id, [key])
      return { text: `The key "${key.name}" (${key.prefix}...) is revoked.`, json: recordOf(key) }
    })
  },
}

export const keyActions: readonly Action[] = [list, create, revoke]

async function allKeysOf(db: Database, organizationId: string): Promise<ApiKeyRow[]> {
  const keys: ApiKeyRow[] = []
  for (let page = 1; ; page++) {
    const { rows } = await listApiKeys(db, organizationId, { page, limit: pageLimit })
    keys.push(...rows)
    if (rows.length < pageLimit) return keys
  }
}

function stateOf({ revokedAtMs, expiresAtMs }: ApiKeyRow, nowMs: number): string {
  if (revokedAtMs !== null) return 'revoked'
  return expiresAtMs !== null && expiresAtMs <= nowMs ? 'expired' : 'valid'
}

/** Scopes and networks of a key, in words. */
function boundsOf({ scopes, networks }: ApiKeyRow): [scopes: string, networks: string] {
  return [scopes?.join(', ') ?? 'all', networks?.join(', ') ?? 'everywhere']
}

/** Returns the key as the API shows it. */
function recordOf({ id, name, prefix, role, scopes, networks, madeBy, ...times }: ApiKeyRow) {
  return {
    id,
    name,
    prefix,
    role,
    scopes,
    networks,
    createdAt: isoOf(times.createdAtMs),
    madeBy,
    lastUsedAt: isoOf(times.lastUsedAtMs),
    expiresAt: isoOf(times.expiresAtMs),
    revokedAt: isoOf(times.revokedAtMs),
  }
}

function isoOf(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString()
}

function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10)
}
