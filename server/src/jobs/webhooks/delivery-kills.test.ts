import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { upload } from '../../api/testing/imports.ts'
import { openTestApi, testConfig } from '../../api/testing/api.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { programArgs } from '../../db/testing/program-args.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { startReceiver, type Behaviour } from './testing/receiver.ts'

const isSoak = process.env['SOAK'] === '1'
const killsOf = { SQLite: isSoak ? 300 : 6, PostgreSQL: isSoak ? 300 : 3 }

/**
 * The time of the workers runs this much faster, so that the test does not wait for a retry after
 * five seconds.
 */
const speed = 20

/**
 * A worker with the key that the API of these tests uses to seal secrets. It starts sooner without
 * the records of the API.
 */
const program = `
  import { pino } from 'pino'
  import { createSecretBox } from '${import.meta.dirname}/../../secret-box.ts'
  import { openDatabase } from '${import.meta.dirname}/../../db/open-database.ts'
  import { importJobs } from '${import.meta.dirname}/../imports/import-job.ts'
  import { startJobs } from '${import.meta.dirname}/../start-jobs.ts'
  import { startDeliveries } from '${import.meta.dirname}/deliver-webhooks.ts'
  import { createWebhookCaller } from '${import.meta.dirname}/webhook-calls.ts'
  const log = pino({ level: 'fatal' }, pino.destination(2))
  const { databaseUrl, dataDir, originMs } = JSON.parse(process.argv[1])
  const db = await openDatabase({ databaseUrl, dataDir, role: 'writer', log })
  const imports = importJobs({ check: () => [], draw: () => ({ version: 2, mask: 3 }), publicHost: '' })
  startJobs({ db, kinds: { import: imports }, log, pollMs: 5, leaseMs: 200 })
  startDeliveries({
    db,
    log,
    box: createSecretBox('a secret of tests', 'webhook secrets'),
    caller: createWebhookCaller({ allowPrivate: true, callMsMax: 1_000 }),
    recordOf: ({ event, data }, { id }) => ({ id, event, data }),
    pollMs: 5,
    pauseMsStep: 1,
    clock: () => originMs + (Date.now() - originMs) * ${speed},
  })
  process.stdout.write('up')`

forEachDatabase('events', (open) => {
  test('of random work reach a receiver that fails, through kills of the worker: none is lost', async (t) => {
    const random = seededRandom()
    const below = (count: number): number => Math.floor(random() * count)
    const db = await open()
    const { source } = db
    const kills = killsOf[source.dialect === 'sqlite' ? 'SQLite' : 'PostgreSQL']
    const originMs = Date.now()
    const where =
      source.dialect === 'sqlite'
        ? { dataDir: dirname(source.file), originMs }
        : { dataDir: '/nonexistent', databaseUrl: source.url, originMs }
    const api = await openTestApi(db, { config: { ...testConfig, webhookAllowPrivate: true } })
    const canary = await startReceiver()
    t.after(() => canary.close())
    const misbehaved = new Set<string>()
    const receiver = await startReceiver((call, response) => {
      const id = String(call.headers['webhook-id'])
      // Each call fails at most once. Otherwise it would be retried only after hours.
      const behaviour = misbehaved.has(id) ? undefined : misbehaviours(canary.url)[below(70)]
      if (behaviour === undefined) response.writeHead(204).end()
      else {
        misbehaved.add(id)
        behaviour(call, response, 0)
      }
    })
    t.after(() => receiver.close())
    const send = async (method: 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) => {
      const options = { key: api.keys.ADMIN, ...(payload && { payload }) }
      const answer = await api.call(method, `/organizations/${api.orgId}${path}`, options)
      assert.ok(answer.statusCode < 300, answer.body)
      return answer.json<{ id: string; data: { id: string; name: string }[] }>()
    }
    await send('POST', '/webhooks', { url: receiver.url, events: ['*'] })

    /**
     * The events according to their causes: kind and name, each once, because every change sets a
     * new name.
     */
    const expected: string[] = []
    const codes: { id: string; name: string; archived: boolean }[] = []
    let named = 0
    const newName = (): string => `Name ${++named}`
    const work: readonly (() => Promise<void>)[] = [
      async () => {
        const name = newName()
        const { id } = await send('POST', '/qr-codes', body(name))
        expected.push(`qr.created ${name}`)
        codes.push({ id, name, archived: false })
      },
      async () => {
        const { data } = await send('POST', '/qr-codes/batch', {
          qrCodes: Array.from({ length: 1 + below(20) }, () => body(newName())),
        })
        for (const { id, name } of data) {
          expected.push(`qr.created ${name}`)
          codes.push({ id, name, archived: false })
        }
      },
      async () => {
        const code = codes[below(codes.length)]
        if (code === undefined) return
        code.name = newName()
        code.archived = !code.archived
        const status = code.archived ? 'ARCHIVED' : 'ACTIVE'
        await send('PUT', `/qr-codes/${code.id}`, { name: code.name, status })
        expected.push(`qr.updated ${code.name}`, `qr.${code.archived ? 'archived' : 'restored'} ${code.name}`)
      },
      async () => {
        const [code] = codes.splice(below(codes.length), 1)
        if (code === undefined) return
        await send('DELETE', `/qr-codes/${code.id}`)
        expected.push(`qr.deleted ${code.name}`)
      },
    ]
    const importSome = async (): Promise<void> => {
      const names = Array.from({ length: 60 }, newName)
      const fileName = `${newName()}.csv`
      const file = `name,url\n${names.map((name) => `${name},https://example.com/`).join('\n')}\n`
      const { statusCode } = await upload(api, { file, fileName })
      assert.equal(statusCode, 202)
      expected.push(...names.map((name) => `qr.created ${name}`), `import.completed ${fileName}`)
    }
    const received = (): Map<string, string> =>
      new Map(
        receiver
          .events()
          .map(({ id, event, data }) => [
            id,
            `${event} ${String((data['input'] as { fileName?: string } | undefined)?.fileName ?? data['name'])}`,
          ]),
      )
    const working = new AbortController()
    const worked = (async () => {
      for (let done = 0; !working.signal.aborted; done++) {
        // Does not run further ahead than the receiver can follow.
        if (expected.length > received().size + 150) await sleep(20)
        else if (done % 60 === 20) await importSome()
        else await work[below(work.length)]?.()
        await sleep(5)
      }
    })()

    const mostAttempts = async () =>
      (
        await db.kysely
          .selectFrom('jobs')
          .select('attempts')
          .where('status', 'in', ['PENDING', 'PROCESSING'])
          .orderBy('attempts', 'desc')
          .limit(1)
          .executeTakeFirst()
      )?.attempts ?? 0

    let child = await startWorker(where)
    for (let kill = 0; kill < kills; kill++) {
      const before = receiver.calls.length
      // Waits until the worker has begun, so that the kill meets it at work.
      while (receiver.calls.length < before + 1 + below(10)) await sleep(2)
      // An import that is killed repeatedly without progress is given up, which is not the subject
      // of this test.
      while ((await mostAttempts()) > 4) await sleep(10)
      child.kill('SIGKILL')
      await once(child, 'close')
      child = await startWorker(where)
    }
    t.after(() => child.kill('SIGKILL'))
    working.abort()
    await worked
    const pending = async () =>
      (
        await db.kysely
          .selectFrom('webhook_deliveries')
          .select('id')
          .where('status', '=', 'PENDING')
          .execute()
      ).length
    const sortedExpected = expected.toSorted()
    for (const endMs = Date.now() + 30_000; Date.now() < endMs; await sleep(50))
      if (received().size >= expected.length && (await pending()) === 0) break
    assert.deepEqual([...received().values()].sort(), sortedExpected)
    assert.equal(await pending(), 0)
    assert.equal(canary.calls.length, 0)
    const again = receiver.calls.length - expected.length
    t.diagnostic(
      `${kills} kills: ${expected.length} events, none lost; ${again} calls came again, ${misbehaved.size} of them as the receiver failed`,
    )
    assert.ok(misbehaved.size > 2, 'the receiver failed')
  })
})

function body(name: string) {
  return { type: 'URL', name, data: { url: 'https://example.com/' } }
}

async function startWorker(where: object) {
  const args = [...programArgs(program), JSON.stringify(where)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  return child
}

/** Returns the ways in which the receiver fails. Any other index is a plain 204. */
function misbehaviours(canaryUrl: string): readonly Behaviour[] {
  return [
    (_call, response) => response.writeHead(500).end('down'),
    (_call, response) => response.writeHead(503, { 'retry-after': '1' }).end(),
    (_call, response) => response.destroy(),
    (_call, response) => response.writeHead(302, { location: canaryUrl }).end(),
    (_call, response) => response.writeHead(307, { location: canaryUrl }).end(),
    (_call, response) => void response.writeHead(500).write('x'.repeat(1_000_000)),
    // It hangs.
    () => undefined,
  ]
}
