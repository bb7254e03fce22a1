import { readInstallation, readInstallationNotes, type InstallationNote } from '../db/installation.ts'
import { FatalError } from '../errors.ts'
import { readIdentity } from '../processes/identity-file.ts'
import { storeKindOf } from '../settings/store-kind.ts'
import { countText, dayText } from '../amounts.ts'
import { failed, naming, notice, ok, unknown, warning, type CheckGroup, type Finding } from './check.ts'

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
        // Parts that cannot be reached have their own checks.
        const db = await context.database()
        const secret = context.secret()
        return judgeRefusal(
          () => context.parts.refuseForeignParts({ ...context.config, secret }, db.log),
          'belong together',
        )
      },
    },
    {
      name: 'identity.scan-store',
      title: 'Scan store',
      run: async ({ config, parts, catalogue, store }) => {
        const db = await catalogue()
        const opened = storeKindOf(config) === 'files' ? undefined : await store()
        const refuse = () =>
          opened === undefined ? parts.refuseForeignFiles(db, config) : parts.refuseForeignStore(opened, db)
        return judgeRefusal(refuse, 'belongs to the catalogue')
      },
    },
    {
      name: 'identity.older-catalogue',
      title: 'Age of the catalogue',
      run: async ({ config, catalogue }) => {
        const installation = await readInstallation(await catalogue())
        return judgeAges(installation, readIdentity(config.dataDir))
      },
    },
    {
      name: 'identity.notes',
      title: 'Notes of the service',
      run: async ({ catalogue, nowMs }) => judgeNotes(await readInstallationNotes(await catalogue()), nowMs),
    },
  ],
}

/** Reports a refusal of a start in the words of that refusal. */
export async function judgeRefusal(compare: () => Promise<void>, says: string): Promise<Finding> {
  try {
    await compare()
    return ok(says)
  } catch (error) {
    if (!(error instanceof FatalError)) throw error
    const { message, adopts, found } = error
    const mend =
      adopts === undefined
        ? 'do what it says before the next start'
        : `do what it says; if this is intended: ./everscan adopt ${adopts}`
    return naming(failed(message, mend), found)
  }
}

type Age = { epoch: number; pulse: number }

/** Compares two ages: the catalogue counts first, so only an older copy can be behind. */
export function judgeAges(catalogue: Age | undefined, directory: Age | undefined): Finding {
  if (catalogue === undefined || directory === undefined)
    return unknown('catalogue and directory have no identity yet', 'nothing: the next start gives them one')
  const minutes = directory.pulse - catalogue.pulse
  if (minutes <= 0 && directory.epoch <= catalogue.epoch) return ok('as old as the data directory')
  return warning(
    `an older copy of the catalogue was restored: it lacks ${countText(Math.max(0, minutes), 'minute')} of changes`,
    'if this is intended, ./everscan start: sessions end, and figures are set to those of the scan store; otherwise restore the newer one',
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
        'find out why the scan store lost them (disk, volume, a restored copy); figures do not count them',
      )
    : notice(says, 'nothing: the notes are only a record')
}

const noteTexts: Readonly<Record<InstallationNote['kind'], (detail: InstallationNote['detail']) => string>> =
  {
    'catalogue-behind': ({ hits, minutes }) =>
      `an older copy of the catalogue was restored (${minutes === undefined ? `${figure(hits)} hits` : `${figure(minutes)} minutes`} behind)`,
    'keys-since': () => 'keys were revoked again, or were used after the copy: see the audit logs',
    'scans-doubled': ({ hits }) => `${figure(hits)} duplicate rows were removed from the scan store`,
    'counters-corrected': ({ scans }) => `counters of codes were corrected by ${figure(scans)} scans`,
    'scans-put-back': ({ hits }) => `${figure(hits)} hits that the scan store had lost were put back`,
    'scans-lost': ({ days }) => `the scan store lost hits for good: ${lostText(days)}`,
    'visitor-key': () => 'the visitor key changed: each visitor counts as unique once more',
    'visitors-by-64': () =>
      'IPv6 visitors are now identified by their network: each counts as unique once more',
    adopted: ({ what }) => `the operator adopted ${figure(what)}`,
    restored: ({ madeAt }) => `a copy from ${figure(madeAt)} was restored`,
    moved: () => 'the embedded stores were moved to PostgreSQL and ClickHouse',
  }

function noteText({ kind, detail }: InstallationNote): string {
  // A later release may have written other kinds.
  return noteTexts[kind]?.(detail) ?? kind
}

function lostText(days: unknown): string {
  const list = Array.isArray(days) ? (days as { day?: unknown; hits?: unknown }[]) : []
  return list.map(({ day, hits }) => `${figure(hits)} of ${figure(day)}`).join(', ')
}

/** Returns the value as a text; "?" for a type that another release may have written. */
function figure(value: unknown): string {
  return typeof value === 'number' || typeof value === 'string' ? String(value) : '?'
}
