import { readInstallation, readInstallationNotes, type InstallationNote } from '../db/installation.ts'
import { FatalError } from '../errors.ts'
import { readIdentity } from '../processes/identity-file.ts'
import { countText, dayText } from '../amounts.ts'
import { failed, notice, ok, unknown, warning, type CheckGroup, type Finding } from './check.ts'

const dayMs = 86_400_000
const recentMs = 30 * dayMs
const notesShown = 5

type DatedNote = InstallationNote & { createdAtMs: number }

export const identityChecks: CheckGroup = {
  title: 'Identity',
  checks: [
    {
      name: 'identity.parts',
      title: 'Catalogue, data directory and SECRET',
      run: async (context) => {
        // What cannot be reached is told by its own check.
        const db = await context.database()
        const secret = context.secret()
        return judgeRefusal(
          () => context.parts.refuseStrangers({ ...context.config, secret }, db.log),
          'belong together',
        )
      },
    },
    {
      name: 'identity.scan-store',
      title: 'Scan store',
      run: async ({ config, parts, catalogue, store }) => {
        const [db, opened] = [await catalogue(), await store()]
        return judgeRefusal(() => parts.refuseStrangeStore(opened, db, config), 'belongs to the catalogue')
      },
    },
    {
      name: 'identity.older-catalogue',
      title: 'An older catalogue',
      run: async ({ config, catalogue }) => {
        const installation = await readInstallation(await catalogue())
        return judgeAges(installation, readIdentity(config.dataDir))
      },
    },
    {
      name: 'identity.notes',
      title: 'What the service had to tell',
      run: async ({ catalogue, nowMs }) => judgeNotes(await readInstallationNotes(await catalogue()), nowMs),
    },
  ],
}

/** What a start would refuse, in its own words. */
export async function judgeRefusal(compare: () => Promise<void>, says: string): Promise<Finding> {
  try {
    await compare()
    return ok(says)
  } catch (error) {
    if (!(error instanceof FatalError)) throw error
    const [adopt] = /\.\/everscan adopt [a-z-]+/.exec(error.message) ?? []
    return failed(
      error.message,
      adopt === undefined ? 'do what it says before the next start' : `as it says; if you mean it: ${adopt}`,
    )
  }
}

type Age = { epoch: number; pulse: number }

/** Both count up together: what the directory has seen, the catalogue knew. */
export function judgeAges(catalogue: Age | undefined, directory: Age | undefined): Finding {
  if (catalogue === undefined || directory === undefined)
    return unknown('they have no identity yet', 'nothing to do: the next start gives them one')
  const minutes = directory.pulse - catalogue.pulse
  if (minutes <= 0 && directory.epoch <= catalogue.epoch) return ok('it is not: both are of one age')
  return warning(
    `an older copy of the catalogue was put back: ${countText(Math.max(0, minutes), 'minute')} of changes are not in it`,
    'if you mean it, ./everscan start: sessions end and figures are set to what the scan store has; otherwise put the newer one back',
  )
}

export function judgeNotes(notes: readonly DatedNote[], nowMs: number): Finding {
  if (notes.length === 0) return ok('nothing')
  const says = notes
    .slice(0, notesShown)
    .map((note) => `${dayText(note.createdAtMs)}: ${noteText(note)}`)
    .join('; ')
  const isLoss = ({ kind, createdAtMs }: DatedNote) => kind === 'scans-lost' && nowMs - createdAtMs < recentMs
  return notes.some(isLoss)
    ? warning(
        says,
        'find out why the scan store lost them (disk, volume, a copy that was put back); figures are without them',
      )
    : notice(says, 'nothing: it was told once, and is in the catalogue')
}

const noteTexts: Readonly<Record<InstallationNote['kind'], (detail: InstallationNote['detail']) => string>> =
  {
    'catalogue-behind': ({ hits, minutes }) =>
      `an older copy of the catalogue was put back (${minutes === undefined ? `${figure(hits)} hits` : `${figure(minutes)} minutes`} behind)`,
    'keys-since': () => 'keys were revoked again, or used since, as the audit logs say',
    'scans-doubled': ({ hits }) => `${figure(hits)} rows that stood twice in the scan store were taken out`,
    'counters-corrected': ({ scans }) => `counters of codes were corrected by ${figure(scans)} scans`,
    'scans-put-back': ({ hits }) => `${figure(hits)} hits that the scan store had lost were put back`,
    'scans-lost': ({ days }) => `the scan store lost hits for good: ${lostText(days)}`,
    'visitor-key': () => 'the key of visitors changed: each counts as unique once more',
    'visitors-by-64': () =>
      'visitors of IPv6 are told apart by their network: each counts as unique once more',
    adopted: ({ what }) => `the operator adopted ${figure(what)}`,
    restored: ({ madeAt }) => `a copy of ${figure(madeAt)} was restored`,
  }

function noteText({ kind, detail }: InstallationNote): string {
  // A later release may know other kinds.
  return noteTexts[kind]?.(detail) ?? kind
}

function lostText(days: unknown): string {
  const list = Array.isArray(days) ? (days as { day?: unknown; hits?: unknown }[]) : []
  return list.map(({ day, hits }) => `${figure(hits)} of ${figure(day)}`).join(', ')
}

/** What another release wrote may be of another kind. */
function figure(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : '?'
}
