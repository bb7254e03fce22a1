import { join } from 'node:path'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import {
  addInstallationNote,
  adoptedStore,
  ensureInstallation,
  updateInstallation,
} from '../db/installation.ts'
import { readIdentity, writeIdentity } from '../processes/identity-file.ts'
import { markJournals } from '../processes/journal-owners.ts'
import type { Action } from './command.ts'
import { withCatalogue } from './open-catalogue.ts'

type Adopted = { what: string; text: string; adopt: (db: Database, config: Config) => Promise<void> }

const adoptions: readonly (Adopted & Pick<Action, 'summary' | 'details' | 'examples'>)[] = [
  {
    what: 'data-dir',
    summary: "Take over DATA_DIR with its journals as this installation's, though another one is named in it",
    details: [
      'Its journals are ingested; scans of codes that the catalogue does not know are kept, and their short codes reserved.',
    ],
    examples: [{ command: './everscan adopt data-dir', does: 'after "… belong to installation …"' }],
    text: 'DATA_DIR belongs to this installation now.',
    adopt: async (db, { dataDir }) => {
      const { id, epoch, pulse } = await ensureInstallation(db)
      writeIdentity(dataDir, { ...readIdentity(dataDir), installation: id, epoch, pulse })
      markJournals(join(dataDir, 'journal'), id)
    },
  },
  {
    what: 'scan-store',
    summary: 'Take over the scan store that the service meets next, whatever it holds',
    details: [
      'For a store that was lost, or replaced by another one. Rows kept on this machine (the last three days) are put back into it, figures are',
      'set to what it has, and what is gone is told in the log.',
    ],
    examples: [{ command: './everscan adopt scan-store', does: 'after "the scan store is empty, but …"' }],
    text: 'The next start takes over the scan store that it meets.',
    adopt: async (db) => updateInstallation(db, { scanStore: adoptedStore }),
  },
  {
    what: 'secret',
    summary: 'Accept the SECRET that the service is started with next',
    details: [
      'What the lost one sealed cannot be opened: second factors and webhook secrets have to be set anew. Visitors stay the same: they are',
      'recognized by a key of their own, VISITOR_KEY or DATA_DIR/visitor-key. See ./everscan visitor-key.',
    ],
    examples: [
      { command: './everscan adopt secret', does: 'after "SECRET is not the one of this installation"' },
    ],
    text: 'The next start accepts its SECRET.',
    adopt: async (db) => updateInstallation(db, { secretFingerprint: null }),
  },
]

/** What the operator says is right is taken over; the note says that it was. */
export const adoptActions: readonly Action[] = adoptions.map(({ what, text, adopt, ...described }) => ({
  ...described,
  words: `adopt ${what}`,
  run: ({ readConfig, nowMs }) => {
    const config = readConfig()
    return withCatalogue(config, async (db) => {
      await ensureInstallation(db)
      await adopt(db, config)
      await addInstallationNote(db, { kind: 'adopted', detail: { what } }, nowMs)
      return { text: `${text} Start the service.`, json: { adopted: what } }
    })
  },
}))
