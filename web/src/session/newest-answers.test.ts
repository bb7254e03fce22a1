import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QueryClient } from '@tanstack/react-query'
import { keepNewestAnswers } from './newest-answers.ts'

test('a read that began before a change does not take its place, and later reads do', async () => {
  const queries = new QueryClient()
  keepNewestAnswers(queries)
  const queryKey = ['code', 'qr_1']
  queries.setQueryData(queryKey, 'first')
  const { promise: answered, resolve: answer } = Promise.withResolvers<string>()
  const reading = queries.fetchQuery({ queryKey, queryFn: async () => answered })
  queries.setQueryData(queryKey, 'changed')
  answer('first')
  await reading.catch(() => undefined)
  assert.equal(queries.getQueryData(queryKey), 'changed')
  assert.equal(queries.getQueryState(queryKey)?.fetchStatus, 'idle')
  await queries.fetchQuery({ queryKey, queryFn: async () => 'read' })
  assert.equal(queries.getQueryData(queryKey), 'read')
  queries.clear()
})
