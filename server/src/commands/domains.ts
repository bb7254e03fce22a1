import { normalHostname } from '@everscan/contract/domains/host-names.ts'
import { countText } from '../amounts.ts'
import {
  adoptCodes,
  countOldCodes,
  readHostOwner,
  type HostOwner,
  type OldCodes,
} from '../catalogue/installation/adopt-codes.ts'
import { commandOrigin } from '../catalogue/rows/change-origins.ts'
import type { Action } from './command.ts'
import { confirm } from './confirm.ts'
import { withCatalogue } from './open-catalogue.ts'

const adopt: Action = {
  words: 'domains adopt',
  summary: 'Hand the reserved short codes of a domain over to the organization that has it now',
  details: [
    'Short codes that another organization printed on the host name stay reserved after its codes are deleted, and answer 410. Afterwards the',
    'organization that has the domain can create codes with them, by the API, the dashboard or "everscan import csv". Codes of others that answer',
    'scans are never touched, nor are those that their organization left active when it removed the domain: these answer 410. Scans so far stay with the organization that had the codes. Works while the service runs.',
  ],
  arguments: [{ name: 'HOST', meaning: 'The host name of the domain, such as go.example.com.' }],
  options: [
    {
      name: 'with-archived',
      meaning: 'Also delete archived codes of others on the host name, and those in their bins, for good.',
    },
    { name: 'yes', meaning: 'Do not ask.' },
  ],
  examples: [
    { command: './everscan domains adopt old.example.com', does: 'show what there is, ask, then hand over' },
    {
      command: './everscan domains adopt old.example.com --with-archived --yes',
      does: 'also what others archived, without a question',
    },
  ],
  run: ({ input, readConfig, nowMs, progress }) =>
    withCatalogue(readConfig(), async (db) => {
      const written = input.argument('HOST')
      const hostname = normalHostname(written)
      const owner = hostname === undefined ? undefined : await readHostOwner(db, hostname)
      if (hostname === undefined || owner === undefined)
        throw new Error(`no organization has proved the domain "${written}".`)
      const withArchived = input.flag('with-archived')
      const before = await countOldCodes(db, hostname, { owner, nowMs })
      const json = { hostname, organization: owner.slug }
      const due = before.reserved - before.adopted + (withArchived ? before.archived + before.binned : 0)
      if (due === 0) {
        const text = [`There is nothing to hand over to ${owner.slug}.`, ...rest(before)].join('\n')
        return { text, json: { ...json, adopted: 0, ...left(before) } }
      }
      const question = questionOf(before, { hostname, owner, withArchived })
      if (!input.flag('yes') && !(await confirm(question)))
        return { text: 'Nothing was changed.', json: { ...json, adopted: 0, ...left(before) }, failed: true }
      const adopted = await adoptCodes(db, hostname, {
        owner,
        withArchived,
        origin: commandOrigin,
        nowMs,
        onProgress: (codes) => progress(`${countText(codes, 'short code')} handed over`),
      })
      progress('')
      const after = await countOldCodes(db, hostname, { owner, nowMs })
      const done = `${countText(adopted, 'short code')} handed over: ${owner.slug} can create codes with them.`
      return { text: [done, ...rest(after)].join('\n'), json: { ...json, adopted, ...left(after) } }
    }),
}

function questionOf(
  { reserved, adopted, archived, binned }: OldCodes,
  { hostname, owner, withArchived }: { hostname: string; owner: HostOwner; withArchived: boolean },
): string {
  const handed = `This hands ${countText(reserved - adopted, 'reserved short code')} on ${hostname} over to "${owner.name}" (${owner.slug}).`
  if (!withArchived || archived + binned === 0) return handed
  return `${handed} It deletes ${countText(archived, 'archived code')} of other organizations, and ${countText(binned, 'code')} in their bins, for good, and hands these over, too.`
}

/** Codes of other organizations that are not handed over. */
const left = ({ active, over, archived, binned }: OldCodes) => ({ active, over, archived, binned })

function rest({ active, over, archived, binned }: OldCodes): string[] {
  return [
    ...(active > 0
      ? [`${countText(active, 'active code')} of other organizations on it: they go on answering.`]
      : []),
    ...(over > 0
      ? [
          `${countText(over, 'code')} on it that other organizations left active: they answer 410, as the domain was removed there or a notice has ended.`,
        ]
      : []),
    ...(archived > 0
      ? [`${countText(archived, 'archived code')} of other organizations on it: see --with-archived.`]
      : []),
    ...(binned > 0
      ? [`${countText(binned, 'code')} on it that other organizations can restore: see --with-archived.`]
      : []),
  ]
}

/** Actions on domains of all organizations. */
export const domainActions: readonly Action[] = [adopt]
