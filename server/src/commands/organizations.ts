import { commandOrigin } from '../catalogue/rows/change-origins.ts'
import { findDemo } from '../catalogue/installation/demo-organizations.ts'
import { listAllOrganizations } from '../catalogue/installation/installation-lists.ts'
import { changeOperator, readOperator } from '../catalogue/installation/operator.ts'
import { switchMails } from '../catalogue/mails/mail-switch.ts'
import { updateOrganization } from '../catalogue/organizations/organizations.ts'
import { createOwnOrganization } from '../catalogue/organizations/own-organizations.ts'
import type { Database } from '../db/database.ts'
import type { Action } from './command.ts'
import { chooseOrganization, requireUser, withCatalogue } from './open-catalogue.ts'
import { textPairs, textTable } from './text-table.ts'
import { readEmail, readName } from './word-values.ts'

const list: Action = {
  words: 'organizations list',
  summary: 'List all organizations, oldest first',
  examples: [
    {
      command: './everscan organizations list',
      does: 'show the slugs, which other commands take',
    },
    { command: "./everscan organizations list --json | jq -r '.[].id'", does: 'only the ids, for a script' },
  ],
  run: ({ readConfig }) =>
    withCatalogue(readConfig(), async (db) => {
      const all = await listAllOrganizations(db)
      return {
        text: textTable(
          ['slug', 'name', 'members', 'created', 'id'],
          all.map(({ id, slug, name, members, createdAtMs }) => [
            slug,
            name,
            String(members),
            new Date(createdAtMs).toISOString().slice(0, 10),
            id,
          ]),
        ),
        json: all.map(({ createdAtMs, ...one }) => ({
          ...one,
          createdAt: new Date(createdAtMs).toISOString(),
        })),
      }
    }),
}

const create: Action = {
  words: 'organizations create',
  summary: 'Create an organization, with an account as its first ADMIN',
  details: ['For a person who has no account yet: everscan users create EMAIL --new-organization NAME.'],
  arguments: [{ name: 'NAME', meaning: 'The name; may contain spaces.', read: readName, rest: true }],
  options: [
    {
      name: 'admin',
      value: 'EMAIL',
      meaning: 'The account that becomes its first ADMIN.',
      read: readEmail,
      required: true,
    },
  ],
  examples: [
    {
      command: './everscan organizations create Trattoria da Lucia --admin lucia@example.com',
      does: 'an organization for an existing account',
    },
  ],
  run: ({ input, readConfig, nowMs }) =>
    withCatalogue(readConfig(), async (db) => {
      const admin = await requireUser(db, input.option('admin') ?? '')
      const { id, name, slug } = await createOwnOrganization(db, admin, {
        name: input.argument('NAME'),
        origin: commandOrigin,
        nowMs,
      })
      return {
        text: textPairs([
          ['Organization', name],
          ['Slug', slug],
          ['Id', id],
          ['ADMIN', admin.email],
        ]),
        json: { id, name, slug, admin: admin.email },
      }
    }),
}

const rename: Action = {
  words: 'organizations rename',
  summary: 'Change the name of an organization; its slug stays',
  arguments: [
    { name: 'ORGANIZATION', meaning: 'Slug or id of the organization.' },
    { name: 'NAME', meaning: 'The new name; may contain spaces.', read: readName, rest: true },
  ],
  examples: [{ command: './everscan organizations rename acme Acme Europe', does: 'a new name' }],
  run: ({ input, readConfig, nowMs }) =>
    withCatalogue(readConfig(), async (db) => {
      const { id, slug } = await chooseOrganization(db, input.argument('ORGANIZATION'))
      const name = input.argument('NAME')
      await updateOrganization(db, id, { name, origin: commandOrigin, nowMs })
      return { text: `The organization ${slug} is now called ${name}.`, json: { id, name, slug } }
    }),
}

const operator: Action = {
  words: 'operator',
  summary: 'Show or change the organization of the operator',
  details: [
    'Its ADMINs see the machines, copies and incidents of the whole installation in the settings, and its webhooks receive copy.failed.',
    'It is the first organization of the installation until you choose another one. An organization that came by an archive never becomes',
    'it by itself. A copy and a move to servers carry it.',
  ],
  arguments: [
    {
      name: 'ORG',
      meaning: 'Slug or id of the organization that becomes it. Default: only show it.',
      optional: true,
    },
  ],
  examples: [
    { command: './everscan operator', does: 'show it' },
    { command: './everscan operator acme', does: 'make the organization "acme" that of the operator' },
  ],
  run: ({ input, readConfig, nowMs }) =>
    withCatalogue(readConfig(), async (db) => {
      const word = input.argument('ORG')
      if (word !== '') {
        const chosen = await chooseOrganization(db, word)
        if ((await findDemo(db))?.id === chosen.id)
          throw new Error(`${chosen.slug} is the demo, which can be deleted: choose another organization.`)
        await changeOperator(db, chosen, { origin: commandOrigin, nowMs })
      }
      const found = await readOperator(db)
      if (found === undefined)
        return {
          text: 'No organization is that of the operator. Choose one: ./everscan operator ORG',
          json: null,
          failed: true,
        }
      const { id, name, slug } = found
      return {
        text: textPairs([
          ['Organization', name],
          ['Slug', slug],
          ['Id', id],
        ]),
        json: { id, name, slug },
      }
    }),
}

export const operatorActions: readonly Action[] = [operator]

const organizationArgument = { name: 'ORGANIZATION', meaning: 'Slug or id of the organization.' }

const stopMails: Action = {
  words: 'organizations stop-mails',
  summary: 'Let an organization send no more invitations and mails of views, at once',
  details: ['Its members see it in the dashboard. Mails about accounts and domains go on.'],
  arguments: [organizationArgument],
  examples: [
    { command: './everscan organizations stop-mails acme', does: 'an organization that mails strangers' },
  ],
  run: ({ input, readConfig, nowMs }) =>
    withCatalogue(readConfig(), async (db) =>
      switchedMails(db, input.argument('ORGANIZATION'), { stopped: true, nowMs }),
    ),
}

const allowMails: Action = {
  words: 'organizations allow-mails',
  summary: 'Let an organization send invitations and mails of views again',
  arguments: [organizationArgument],
  examples: [{ command: './everscan organizations allow-mails acme', does: 'the end of such a stop' }],
  run: ({ input, readConfig, nowMs }) =>
    withCatalogue(readConfig(), async (db) =>
      switchedMails(db, input.argument('ORGANIZATION'), { stopped: false, nowMs }),
    ),
}

async function switchedMails(
  db: Database,
  named: string,
  { stopped, nowMs }: { stopped: boolean; nowMs: number },
) {
  const { id, slug } = await chooseOrganization(db, named)
  await switchMails(db, id, { stopped, origin: commandOrigin, nowMs })
  const text = stopped
    ? `The organization ${slug} sends no more invitations and mails of views.`
    : `The organization ${slug} sends invitations and mails of views again.`
  return { text, json: { id, slug, stopped } }
}

export const organizationActions: readonly Action[] = [list, create, rename, stopMails, allowMails]
