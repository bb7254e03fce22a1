// One test for each rule of the specification and its decisions, named after it, on both
// catalogues, through the client.
import { describe } from 'node:test'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { importRules } from './imports.ts'
import { useInstallation, type Installation } from './installation.ts'
import { analyticsRules } from './analytics.ts'
import { batchRules } from './batches.ts'
import { campaignRules } from './campaigns.ts'
import { readmeRules } from './client-readme.ts'
import { codeAccess } from './code-access.ts'
import { codeRules } from './code-rules.ts'
import { contentRules } from './contents.ts'
import { errorRules } from './errors.ts'
import { keyRules } from './keys.ts'
import { limitRules } from './limits.ts'
import { listRules } from './lists.ts'
import { organizationRules } from './organizations.ts'
import { pictureRules } from './pictures.ts'
import { recordRules } from './records.ts'
import { redirectRules } from './redirects.ts'
import { scanRules } from './scans.ts'
import { shortCodeRules } from './short-codes.ts'
import { lookRules, styleRules } from './styles.ts'
import { surroundingRules } from './surroundings.ts'
import { tidyingRules } from './tidying.ts'
import { viewRules } from './views.ts'
import { webhookRules } from './webhooks.ts'

const catalogues = [
  { name: 'SQLite', env: async () => ({}) },
  { name: 'PostgreSQL', env: async () => ({ DATABASE_URL: await (await testPostgres()).createDatabase() }) },
]

const groups: readonly ((of: Installation) => void)[] = [
  keyRules,
  errorRules,
  recordRules,
  tidyingRules,
  contentRules,
  listRules,
  shortCodeRules,
  redirectRules,
  codeRules,
  codeAccess,
  analyticsRules,
  scanRules,
  campaignRules,
  importRules,
  batchRules,
  pictureRules,
  lookRules,
  styleRules,
  organizationRules,
  surroundingRules,
  viewRules,
  webhookRules,
]

// Both catalogues at once: nothing here is measured.
describe('the rules', { concurrency: catalogues.length }, () => {
  for (const { name, env } of catalogues)
    // The tests of one catalogue run one by one.
    describe(`on ${name}`, { concurrency: 1 }, () => {
      const of = useInstallation(env)
      for (const group of groups) group(of)
      limitRules(env)
      // These rules are about the client, whatever the catalogue is.
      if (name === 'SQLite') readmeRules(of)
    })
})
