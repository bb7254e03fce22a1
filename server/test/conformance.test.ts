// One test for each rule of the specification and its decisions, named by it, on both catalogues, through the client.
import { describe } from 'node:test'
import { testPostgres } from '../src/db/testing/databases.ts'
import { importRules } from './conformance/imports.ts'
import { useInstallation, type Installation } from './conformance/installation.ts'
import { analyticsRules } from './conformance/analytics.ts'
import { batchRules } from './conformance/batches.ts'
import { readmeRules } from './conformance/client-readme.ts'
import { contentRules } from './conformance/contents.ts'
import { errorRules } from './conformance/errors.ts'
import { keyRules } from './conformance/keys.ts'
import { limitRules } from './conformance/limits.ts'
import { listRules } from './conformance/lists.ts'
import { organizationRules } from './conformance/organizations.ts'
import { pictureRules } from './conformance/pictures.ts'
import { recordRules } from './conformance/records.ts'
import { redirectRules } from './conformance/redirects.ts'
import { scanRules } from './conformance/scans.ts'
import { shortCodeRules } from './conformance/short-codes.ts'
import { lookRules, styleRules } from './conformance/styles.ts'
import { surroundingRules } from './conformance/surroundings.ts'
import { webhookRules } from './conformance/webhooks.ts'

const catalogues = [
  { name: 'SQLite', env: async () => ({}) },
  { name: 'PostgreSQL', env: async () => ({ DATABASE_URL: await (await testPostgres()).createDatabase() }) },
]

const groups: readonly ((of: Installation) => void)[] = [
  keyRules,
  errorRules,
  recordRules,
  contentRules,
  listRules,
  shortCodeRules,
  redirectRules,
  analyticsRules,
  scanRules,
  importRules,
  batchRules,
  pictureRules,
  lookRules,
  styleRules,
  organizationRules,
  surroundingRules,
  webhookRules,
]

// Both at once: nothing here is measured.
describe('the rules', { concurrency: catalogues.length }, () => {
  for (const { name, env } of catalogues)
    // Each has its tests one by one.
    describe(`on ${name}`, { concurrency: 1 }, () => {
      const of = useInstallation(env)
      for (const group of groups) group(of)
      limitRules(env)
      // They are about the client, whatever is behind it.
      if (name === 'SQLite') readmeRules(of)
    })
})
