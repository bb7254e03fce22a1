// The rules of the specification, and requests that go to two machines in turn: `npm run soak --
// two-services`.
import { describe } from 'node:test'
import { testPostgres } from '../../src/db/testing/databases.ts'
import { startTwoServices } from '../support/two-services.ts'
import { useInstallation } from './installation.ts'
import { limitSettings, rateRules } from './limits.ts'
import { groups } from './rules.ts'

const env = async (): Promise<Record<string, string>> => ({
  DATABASE_URL: await (await testPostgres()).createDatabase(),
})

describe('the rules on two machines in turn', { concurrency: 1 }, () => {
  const of = useInstallation(env, startTwoServices)
  for (const group of groups) group(of)
  describe('limits', () => {
    rateRules(useInstallation(async () => ({ ...(await env()), ...limitSettings }), startTwoServices))
  })
})
