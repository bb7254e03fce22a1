// One test for each rule of the specification and its decisions, named after it, through the
// client. Groups of rules run on one of the catalogues by turns, in the soak on both: services have
// no SQL of their own, and the rooms that have it are tested on both.
import { describe } from 'node:test'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { useInstallation } from './installation.ts'
import { readmeRules } from './client-readme.ts'
import { limitRules } from './limits.ts'
import { groups } from './rules.ts'

const isSoak = process.env['SOAK'] === '1'

const catalogues = [
  { name: 'SQLite', env: async () => ({}) },
  { name: 'PostgreSQL', env: async () => ({ DATABASE_URL: await (await testPostgres()).createDatabase() }) },
]

// Both catalogues at once: nothing here is measured.
describe('the rules', { concurrency: catalogues.length }, () => {
  for (const [turn, { name, env }] of catalogues.entries())
    // The tests of one catalogue run one by one.
    describe(`on ${name}`, { concurrency: 1 }, () => {
      const of = useInstallation(env)
      for (const [index, group] of groups.entries())
        if (isSoak || index % catalogues.length === turn) group(of)
      if (isSoak || name === 'PostgreSQL') limitRules(env)
      // These rules are about the client, whatever the catalogue is.
      if (name === 'SQLite') readmeRules(of)
    })
})
