import { countText } from '../amounts.ts'
import { adoptJournals } from '../copies/adopt-journal.ts'
import { readIdentity } from '../processes/identity-file.ts'
import type { Action } from './command.ts'
import { withCatalogue } from './open-catalogue.ts'

const adopt: Action = {
  words: 'journal adopt',
  summary: 'Take over the journals of a machine that is gone, so that its last scans are counted',
  details: [
    'DIR is the data directory of that machine, or its folder "journal", on a disk that was attached here or as a copy. The service of',
    'this machine ingests the journals, whether it runs now or is started later. The folders are then in DIR/journal-adopted: the',
    'machine may start again with that disk. Scans that are in the scan store already are not counted again.',
  ],
  arguments: [{ name: 'DIR', meaning: 'The data directory of the machine that is gone.' }],
  examples: [
    { command: './everscan journal adopt /mnt/old-disk/everscan', does: 'from the disk of a dead machine' },
  ],
  run: ({ readConfig, input }) => {
    const config = readConfig()
    const { dataDir } = config
    if (readIdentity(dataDir) === undefined)
      throw new Error(`DATA_DIR ${dataDir} holds no installation. Set DATA_DIR to that of the service.`)
    return withCatalogue(config, async (db) => {
      const { scans, folders, left } = await adoptJournals(db, { from: input.argument('DIR'), dataDir })
      const lines = [
        `Adopted ${countText(folders.length, 'journal')} with ${countText(scans, 'scan')} that ${scans === 1 ? 'is' : 'are'} not counted yet. The worker of this machine counts them within minutes.`,
        ...left.map(
          (folder) => `${folder} could not be set aside: do not start its machine with this disk again.`,
        ),
      ]
      return { text: lines.join('\n'), json: { scans, folders, left } }
    })
  },
}

export const journalActions: readonly Action[] = [adopt]
