import { join } from 'node:path'
import type { Config } from '../settings/settings.ts'
import type { Database } from '../db/database.ts'
import {
  addInstallationNote,
  adoptedStore,
  ensureInstallation,
  updateInstallation,
} from '../db/installation.ts'
import { forgetScanLosses } from '../db/scans/scan-losses.ts'
import { readIdentity, writeIdentity } from '../processes/identity-file.ts'
import { markJournals } from '../processes/journal-owners.ts'
import type { Action } from './command.ts'
import { withCatalogue } from './open-catalogue.ts'

type Adopted = {
  what: string
  text: string
  /** Whether the next start applies it. */
  isForStart: boolean
  adopt: (db: Database, config: Config) => Promise<void>
}

const adoptions: readonly (Adopted & Pick<Action, 'summary' | 'details' | 'examples'>)[] = [
  {
    what: 'data-dir',
    summary: 'Take over DATA_DIR and its journals, although they name another installation',
    details: [
      'The service ingests the journals. Scans of codes that the catalogue does not know are kept, and their short codes are reserved.',
    ],
    examples: [{ command: './everscan adopt data-dir', does: 'after "… belong to installation …"' }],
    isForStart: true,
    text: 'DATA_DIR now belongs to this installation.',
    adopt: async (db, { dataDir }) => {
      const { id, epoch, pulse } = await ensureInstallation(db)
      writeIdentity(dataDir, { ...readIdentity(dataDir), installation: id, epoch, pulse })
      markJournals(join(dataDir, 'journal'), id)
    },
  },
  {
    what: 'scan-store',
    summary: 'Take over the scan store that the next start finds, whatever it holds',
    details: [
      'Use it after a scan store was lost or replaced. The service puts back the rows kept on this machine (the last three days),',
      'sets the figures to what the store holds, and logs how many scans are gone.',
    ],
    examples: [{ command: './everscan adopt scan-store', does: 'after "the scan store is empty, but …"' }],
    isForStart: true,
    text: 'The next start takes over the scan store that it finds.',
    adopt: async (db) => updateInstallation(db, { scanStore: adoptedStore }),
  },
  {
    what: 'secret',
    summary: 'Accept the SECRET that the next start is given',
    details: [
      'Values sealed with the lost SECRET cannot be opened: set up second factors and webhook secrets again. Visitors stay the same,',
      'because a separate key identifies them: VISITOR_KEY or DATA_DIR/visitor-key. See ./everscan visitor-key.',
    ],
    examples: [
      { command: './everscan adopt secret', does: 'after "SECRET is not the one of this installation"' },
    ],
    isForStart: true,
    text: 'The next start accepts its SECRET.',
    adopt: async (db) => updateInstallation(db, { secretFingerprint: null }),
  },
  {
    what: 'losses',
    summary: 'Accept that the scans which "doctor" lists as lost are gone',
    details: [
      'Until then, /readyz, Settings and "doctor" name them, every copy is partial, and no such copy replaces a complete one. The scans',
      'themselves do not come back by this. The service may run.',
    ],
    examples: [{ command: './everscan adopt losses', does: 'after "hits are lost", once no copy has them' }],
    isForStart: false,
    text: 'The lost scans are accepted as lost. The next copy is complete without them.',
    adopt: async (db) => forgetScanLosses(db),
  },
]

/** Actions by which the operator declares a part as right. Each leaves a note in the catalogue. */
export const adoptActions: readonly Action[] = adoptions.map(
  ({ what, text, isForStart, adopt, ...described }) => ({
    ...described,
    words: `adopt ${what}`,
    run: ({ readConfig, nowMs }) => {
      const config = readConfig()
      return withCatalogue(config, async (db) => {
        await ensureInstallation(db)
        await adopt(db, config)
        await addInstallationNote(db, { kind: 'adopted', detail: { what } }, nowMs)
        return { text: isForStart ? `${text} Start the service.` : text, json: { adopted: what } }
      })
    },
  }),
)
