import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserNames, osNames } from '@everscan/contract/rules/device-names.ts'
import { browsers, parserNames, systems } from './user-agent-names.ts'

test('rules can name every system and browser that analytics show, and no other', () => {
  const shown = new Set(
    [...systems, ...browsers].map(([, name]) => name).concat(...parserNames.values(), 'Other'),
  )
  const named = new Set([...osNames, ...browserNames])
  assert.deepEqual(
    [...shown].filter((name) => !named.has(name)),
    [],
  )
  assert.deepEqual(
    [...named].filter((name) => !shown.has(name)),
    [],
  )
})
