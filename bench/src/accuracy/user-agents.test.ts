import assert from 'node:assert/strict'
import { test } from 'node:test'
import { benchUserAgents } from './user-agents.ts'

test('user agents of public corpora are read at least as well as by two other libraries', async () => {
  const scores = await benchUserAgents()
  const { browsers, bots } = scores
  assert.deepEqual(
    [browsers?.everscan?.bots, browsers?.everscan?.mobile, browsers?.everscan?.desktop],
    [100, 100, 100],
    'no real browser is a bot',
  )
  // Chrome in desktop mode says nothing of its tablet.
  assert.ok((browsers?.everscan?.tablet ?? 0) >= 90)
  assert.ok((bots?.everscan?.bots ?? 0) >= 99.5, `${bots?.everscan?.bots} % of bots`)
  for (const [corpus, { everscan, ...others }] of Object.entries(scores))
    for (const [library, score] of Object.entries(others))
      for (const [measure, share] of Object.entries(score))
        if (measure !== 'microseconds')
          assert.ok((everscan?.[measure] ?? 0) >= share, `${corpus}, ${measure}: ${library} has ${share}`)
})
