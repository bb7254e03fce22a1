import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Event } from './create-client.ts'
import { failure, startFakeService } from './testing/server.ts'

const event = (number: number): string =>
  `id: evt_${number}\nevent: qr.created\ndata: ${JSON.stringify({ id: `evt_${number}`, data: { name: 'Zoë' } })}\n\n`

test('a stream is read in pieces of any size and resumes after the last event when it breaks or ends', async (t) => {
  const { client, received } = await startFakeService(t, (response, _request, count) => {
    if (count === 2) return failure(response, 503, 'UNAVAILABLE', { 'retry-after': '0' })
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (count === 1) {
      response.write('retry: 2000\n: connected\n\nid: evt_0\n\n')
      const bytes = Buffer.from(event(1) + event(2))
      const cut = bytes.indexOf(Buffer.from('ë')) + 1
      response.write(bytes.subarray(0, cut))
      setTimeout(() => response.write(bytes.subarray(cut), () => response.destroy()), 20)
    } else if (count === 3) response.end(': heartbeat\n\n')
    else response.write(`event: stream.gap\ndata: {}\n\n${event(3)}`)
  })
  let gaps = 0
  const names: unknown[] = []
  const events: Event[] = []
  const query = { event: ['qr.created' as const], qrCodeId: ['qr_1', 'qr_2'] }
  const states: string[] = []
  const callbacks = { onGap: () => gaps++, onConnection: (state: string) => states.push(state) }
  for await (const one of client.events.stream('org_1', query, callbacks)) {
    events.push(one)
    names.push(one.data['name'])
    if (events.length === 3) break
  }
  assert.deepEqual(
    events.map(({ id }) => id),
    ['evt_1', 'evt_2', 'evt_3'],
  )
  assert.deepEqual(new Set(names), new Set(['Zoë']))
  assert.equal(gaps, 1)
  assert.deepEqual(states, ['open', 'lost', 'open', 'lost', 'open'])
  assert.deepEqual(
    received.map(({ headers }) => headers['last-event-id']),
    [undefined, 'evt_2', 'evt_2', 'evt_2'],
  )
  assert.equal(
    received[0]?.url,
    '/api/v1/organizations/org_1/events?event=qr.created&qrCodeId=qr_1&qrCodeId=qr_2',
  )
})

test('a stream that breaks before its first event resumes where it began', async (t) => {
  const { client, received } = await startFakeService(t, (response, _request, count) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (count === 1) response.end('id: evt_0\n\n')
    else response.write(event(1))
  })
  assert.equal((await client.events.stream('org_1').next()).value?.id, 'evt_1')
  assert.equal(received[1]?.headers['last-event-id'], 'evt_0')
})

test('a permanent error is thrown; an abort ends the stream', async (t) => {
  const forbidden = await startFakeService(t, (response) => failure(response, 403, 'FORBIDDEN'))
  await assert.rejects(forbidden.client.events.stream('org_1').next(), { name: 'PermissionError' })
  assert.equal(forbidden.received.length, 1)
  const silent = await startFakeService(
    t,
    (response) => void response.writeHead(200).write(': connected\n\n'),
  )
  const signal = AbortSignal.timeout(50)
  await assert.rejects(silent.client.events.stream('org_1', {}, { signal }).next(), { name: 'TimeoutError' })
})
