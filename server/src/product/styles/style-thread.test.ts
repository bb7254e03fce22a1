import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { getPriority } from 'node:os'
import { after, test } from 'node:test'
import { PictureError } from '@everscan/qr/picture.ts'
import { silentLog } from '../../db/testing/databases.ts'
import { runStyleJob } from './style-jobs.ts'
import { StyleThread } from './style-thread.ts'

const thread = new StyleThread(silentLog)
after(() => thread.close())

const ignore = (): void => undefined

const code = { text: 'HTTPS://QR.EXAMPLE.COM/ABCDEFG', errorCorrection: 'M' } as const

test('a thread reads what this one reads, while this one goes on', async () => {
  const styled = { code, style: { dotStyle: 'dots', foregroundColor: '#1E3A8A' } } as const
  let turns = 0
  const counting = setInterval(() => turns++, 1)
  const reading = await thread.run('readStyle', styled, ignore)
  clearInterval(counting)
  assert.deepEqual(reading, await runStyleJob('readStyle', styled))
  assert.ok(turns > 5, `${turns} turns`)
})

test('an error of a picture keeps its class, any other its message', async () => {
  await assert.rejects(thread.run('readLogo', 'data:image/png;base64,AAAA', ignore), (error) => {
    assert.ok(error instanceof PictureError)
    return /must be a PNG/.test(error.message)
  })
  await assert.rejects(thread.run('readStyle', { code, style: { dotStyle: 'none' as never } }, ignore), Error)
})

test('a job tells its processor time, without that of the event loop beside it', async () => {
  const styled = { code, style: { dotStyle: 'dots', foregroundColor: '#1E3A8B' } } as const
  let spentMs = Number.NaN
  const fromMs = performance.now()
  const reading = thread.run('readStyle', styled, (ms) => {
    spentMs = ms
  })
  // A busy process: the answer of the thread waits for its event loop.
  while (performance.now() < fromMs + 1_500) continue
  await reading
  assert.ok(spentMs > 5 && spentMs < 750, `${spentMs} ms`)
})

// Elsewhere a priority belongs to the whole process.
if (process.platform === 'linux')
  test('a thread has a lower priority than the process that answers', async () => {
    await thread.run('readStyle', { code, style: { foregroundColor: '#1E3A8A' } }, ignore)
    const nices = readdirSync('/proc/self/task').map((id) => getPriority(Number(id)))
    assert.equal(Math.max(...nices), Math.min(19, getPriority() + 5), String(nices))
    assert.ok(nices.filter((nice) => nice > getPriority()).length < nices.length / 2, String(nices))
  })

test('503 for the job of a thread that ended; the next job starts another', async () => {
  const styled = { code, style: { foregroundColor: '#1E3A8A' } }
  const running = thread.run('readStyle', styled, ignore)
  await Promise.all([assert.rejects(running, { status: 503, code: 'UNAVAILABLE' }), thread.close()])
  const { readers } = await thread.run('readStyle', styled, ignore)
  assert.deepEqual(
    readers.map(({ name, missed }) => [name, missed]),
    [
      ['zxing', []],
      ['qr/decode', []],
    ],
  )
})
