import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { onSqlite } from '../../db/testing/databases.ts'
import { openTestApi } from '../testing/api.ts'
import { runStyleJob } from '../../product/styles/style-jobs.ts'
import { StyleQueue, type RunTimedStyleJob } from '../../product/styles/style-queue.ts'

onSqlite('style work of a client that leaves', (open) => {
  test('ends with the job that runs, and nothing is created', async (t) => {
    const begun: string[] = []
    const run: RunTimedStyleJob = (name, input) => {
      begun.push(name)
      return sleep(20).then((): Promise<never> => runStyleJob(name, input) as never) as never
    }
    const api = await openTestApi(await open(), { styleWorkers: new StyleQueue(run) })
    await api.app.listen({ port: 0, host: '127.0.0.1' })
    t.after(() => api.app.close())
    const { port } = api.app.server.address() as AddressInfo
    const path = `/organizations/${api.orgId}/qr-codes`
    const qrCodes = Array.from({ length: 20 }, (_, at) => ({
      type: 'URL',
      name: 'Poster',
      data: { url: 'https://example.com/' },
      style: { foregroundColor: `#0${(0x10_000 + at).toString(16)}` },
    }))
    const body = JSON.stringify({ qrCodes })
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(
      `POST /api/v1${path}/batch HTTP/1.1\r\nHost: x\r\nX-API-Key: ${api.keys.EDITOR}\r\nIdempotency-Key: a\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    while (begun.length < 2) await sleep(1)
    socket.destroy()
    // Twenty jobs would take longer than this.
    await sleep(1_000)
    assert.ok(begun.length <= 4, `${begun.length} jobs were begun`)
    const list = await api.call('GET', path, { key: api.keys.VIEWER })
    assert.deepEqual(list.json<{ data: unknown[] }>().data, [])
  })
})
