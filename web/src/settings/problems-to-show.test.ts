import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Installation } from '@everscan/contract/resources/installation.ts'
import { problemsToShow } from './problems-to-show.ts'

const named = (problem: string) => ({ path: '', problem, values: {}, message: problem })

test('each problem of the machine is shown once: what no card tells, also of copies', () => {
  const present = (part: string, problem: string, severity = 'failing') => ({
    ...named(problem),
    part,
    severity,
  })
  const installation = {
    problems: [
      present('copies', 'backupDirMissing'),
      present('lostScans', 'hitsLost', 'degraded'),
      present('scanStoreUpgrade', 'rewriteStuck', 'degraded'),
      present('machines', 'machineSilent', 'degraded'),
      present('geography', 'geographyOld', 'notice'),
    ],
    copies: { problemDetails: [named('copyOld')] },
    upgrade: { problemDetails: [named('rewriteStuck')] },
    machines: [{ problemDetails: [] }],
  } as unknown as Installation
  const shown = problemsToShow(installation).map(({ problem }) => problem)
  assert.deepEqual(shown, ['backupDirMissing', 'machineSilent'])
})
