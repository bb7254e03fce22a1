import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { pino } from 'pino'
import { Supervisor } from './supervisor.ts'
import { sendSignal } from './testing/signals.ts'

test('a child that is killed from outside is restarted, and the log names the memory; another one died', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'everscan-supervisor-'))
  const entry = join(dir, 'child.mjs')
  writeFileSync(
    entry,
    `import { writeFileSync } from 'node:fs'
writeFileSync(new URL('pid', import.meta.url), String(process.pid))
process.send({ type: 'ready' }); setInterval(() => process.send({ type: 'alive' }), 200)
process.on('message', ({ type }) => type === 'stop' && process.exit(0))`,
  )
  const output = new PassThrough()
  const lines = createInterface({ input: output })
  const supervisor = new Supervisor({
    entry,
    envOf: () => ({}),
    log: pino({ level: 'debug' }, output),
    onStarted: () => undefined,
    onFatal: () => undefined,
  })
  t.after(async () => {
    await supervisor.stop()
    rmSync(dir, { recursive: true })
  })
  const waitFor = async (isIt: (entry: { msg: string; reason?: string }) => boolean) => {
    for (;;) {
      const [line] = (await once(lines, 'line')) as [string]
      const logged = JSON.parse(line) as { msg: string; reason?: string }
      if (isIt(logged)) return logged
    }
  }
  supervisor.expect(1)
  supervisor.start([{ role: 'worker', index: 0 }])
  for (const [signal, reason, message] of [
    [
      'SIGKILL',
      'killed',
      /^process killed from outside, as a rule for lack of memory \((?:no limit|a limit of .*), .* free.*needs 1 GiB; give/,
    ],
    ['SIGTERM', 'died', /^process ended, restarting it$/],
  ] as const) {
    await waitFor(({ msg }) => msg === 'process is ready')
    const ended = waitFor((logged) => logged.reason !== undefined)
    sendSignal(Number(readFileSync(join(dir, 'pid'), 'utf8')), signal)
    const { msg, reason: logged } = await ended
    assert.equal(logged, reason)
    assert.match(msg, message)
  }
})
