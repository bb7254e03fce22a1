// One test for each rule of the specification and its decisions, named after it, through the
// client. Rules that read or write the catalogue run on both, and in the soak all rules do.
import { describe } from 'node:test'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { useInstallation } from './installation.ts'
import { readmeRules } from './client-readme.ts'
import { limitRules } from './limits.ts'
import { groups, groupsWithoutQueries } from './rules.ts'

const isSoak = process.env['SOAK'] === '1'

const catalogues = [
  { name: 'SQLite', env: async () => ({}) },
  { name: 'PostgreSQL', env: async () => ({ DATABASE_URL: await (await testPostgres()).createDatabase() }) },
]

// Both catalogues at once: nothing here is measured.
describe('the rules', { concurrency: catalogues.length }, () => {
  for (const { name, env } of catalogues)
    // The tests of one catalogue run one by one.
    describe(`on ${name}`, { concurrency: 1 }, () => {
      const of = useInstallation(env)
      for (const group of groups)
        if (isSoak || name === 'SQLite' || !groupsWithoutQueries.includes(group)) group(of)
      limitRules(env)
      // These rules are about the client, whatever the catalogue is.
      if (name === 'SQLite') readmeRules(of)
    })
})
