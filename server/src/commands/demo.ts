import { join } from 'node:path'
import { deleteDemo } from '../catalogue/installation/delete-demo.ts'
import { findDemo } from '../catalogue/installation/demo-organizations.ts'
import { commandOrigin } from '../catalogue/rows/change-origins.ts'
import { removeUnfinishedJournals } from '../demo/demo-journal.ts'
import { countText } from '../amounts.ts'
import type { Action } from './command.ts'
import { confirm } from './confirm.ts'
import { withCatalogue } from './open-catalogue.ts'

const remove: Action = {
  words: 'demo remove',
  summary: 'Delete the organization that "start --demo" created, with everything in it',
  details: [
    'Deletes all of its codes, also those that were made in it later: their short URLs answer 410, and their short codes are never given',
    'again. Works while the service runs and while it is stopped. If it is interrupted, run it again. The made-up scans stay in the scan',
    "store, in nobody's figures, until RETENTION_DAYS deletes them. A start with --demo creates a new demo.",
  ],
  options: [{ name: 'yes', meaning: 'Do not ask.' }],
  examples: [
    { command: './everscan demo remove', does: 'ask, then delete the demo' },
    { command: './everscan demo remove --yes', does: 'the same in a script' },
  ],
  run: ({ input, readConfig, progress, interrupted }) => {
    const config = readConfig()
    return withCatalogue(config, async (db) => {
      const demo = await findDemo(db)
      if (demo === undefined)
        return { text: 'This installation has no demo.', json: { removed: false, codes: 0 } }
      const question = `This deletes the organization "${demo.name}" with all of its codes, for good.`
      if (!input.flag('yes') && !(await confirm(question)))
        return { text: 'Nothing was deleted.', json: { removed: false, codes: 0 }, failed: true }
      const deleted = await deleteDemo(db, {
        origin: commandOrigin,
        signal: interrupted(),
        onProgress: (codes) => progress(`${countText(codes, 'code')} deleted`),
      })
      progress('')
      removeUnfinishedJournals(join(config.dataDir, 'journal'))
      const { codes = 0 } = deleted ?? {}
      return {
        text: `The demo is gone: ${countText(codes, 'code')} deleted. Start without --demo from now on.`,
        json: { removed: true, organizationId: demo.id, codes },
      }
    })
  },
}

export const demoActions: readonly Action[] = [remove]
