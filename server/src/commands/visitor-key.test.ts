import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { after, test } from 'node:test'
import { readConfig } from '../settings/config.ts'
import type { Database } from '../db/database.ts'
import {
  claimFingerprint,
  ensureInstallation,
  readInstallation,
  readInstallationNotes,
} from '../db/installation.ts'
import { onEitherDatabase } from '../db/testing/databases.ts'
import {
  lockDataDir,
  readVisitorKey,
  visitorKeyFile,
  writeSecret,
  writeVisitorKey,
} from '../processes/data-dir.ts'
import { createVisitorKey, visitorKeyOfSecret } from '../processes/visitor-key.ts'
import { fingerprintOf } from '../processes/fingerprint.ts'
import { confirm } from './confirm.ts'
import { runCommand } from './run-command.ts'

const nowMs = Date.parse('2026-11-23T12:00:00.000Z')
const secret = 's'.repeat(64)
const scratch = mkdtempSync(join(tmpdir(), 'everscan-visitor-key-'))
after(() => rmSync(scratch, { recursive: true }))

/** Returns an installation that has run with this key, and the data directory of this machine. */
async function installation(open: () => Promise<Database>, key: string) {
  const db = await open()
  await ensureInstallation(db)
  await claimFingerprint(db, ['visitorKeyFingerprint', fingerprintOf(key)], { notes: [], nowMs })
  const { source } = db
  const dataDir = source.dialect === 'sqlite' ? dirname(source.file) : mkdtempSync(join(scratch, 'data-'))
  const env = { DATA_DIR: dataDir, ...(source.dialect === 'postgres' && { DATABASE_URL: source.url }) }
  const run = async (words: readonly string[], more: Record<string, string> = {}) => {
    const ran = { code: 0 as number | undefined, output: '', errors: '' }
    ran.code = await runCommand(['visitor-key', ...words], {
      readConfig: () => readConfig({ ...env, ...more }),
      start: () => assert.fail('starts nothing'),
      loadParts: () => assert.fail('reads nothing else'),
      output: { write: (text) => (ran.output += text) },
      errors: { write: (text) => (ran.errors += text) },
      clock: () => nowMs,
    })
    return ran
  }
  const fingerprint = async () => (await readInstallation(db))?.visitorKeyFingerprint
  const notes = async () =>
    (await readInstallationNotes(db)).map(({ kind, createdAtMs }) => [kind, createdAtMs])
  return { dataDir, run, fingerprint, notes }
}

onEitherDatabase('./everscan visitor-key', (open) => {
  test('0: names the source of the key, and whether it is a secret of its own; 1: the key is not the expected one', async () => {
    const ofSecret = visitorKeyOfSecret(secret)
    const { dataDir, run } = await installation(open, ofSecret)
    const none = await run([])
    assert.deepEqual([none.code, /neither VISITOR_KEY nor SECRET is set/.test(none.errors)], [1, true])
    const shown = async (more: Record<string, string> = {}) => {
      const { code, output } = await run(['--json'], more)
      const { source, fingerprint, isOwnSecret } = JSON.parse(output)
      return [code, source, fingerprint === fingerprintOf(ofSecret), isOwnSecret]
    }
    assert.deepEqual(await shown({ SECRET: secret }), [0, 'secret', true, false])
    writeSecret(dataDir, secret)
    writeVisitorKey(dataDir, ofSecret)
    assert.deepEqual(await shown(), [0, 'file', true, false])
    assert.deepEqual(await shown({ VISITOR_KEY: secret }), [1, 'setting', false, false])
    assert.deepEqual(await shown({ VISITOR_KEY: createVisitorKey() }), [1, 'setting', false, true])
    const { output } = await run([])
    assert.match(output, /Comes from +\S+\/visitor-key\n/)
    assert.match(output, /Secret of its own +no: it is derived from SECRET\n/)
    assert.match(output, /Of this installation +yes/)
    for (const one of [secret, ofSecret]) assert.ok(!output.includes(one))
  })

  test('--new makes a key that the next start accepts, and marks the day', async () => {
    const key = createVisitorKey()
    const { dataDir, run, fingerprint, notes } = await installation(open, key)
    writeVisitorKey(dataDir, key)
    const unasked = await run(['--new'])
    assert.deepEqual([unasked.code, readVisitorKey(dataDir)], [1, key])
    assert.match(unasked.errors, /every visitor counts as unique once more, .* add --yes/)

    const lock = await lockDataDir(dataDir)
    const running = await run(['--new', '--yes'])
    lock.release()
    assert.deepEqual([running.code, readVisitorKey(dataDir)], [1, key])
    assert.match(running.errors, /needs the service to be stopped\. .* is in use by another running Everscan/)
    assert.deepEqual([await fingerprint(), await notes()], [fingerprintOf(key), []])

    assert.equal((await run(['--new', '--yes'])).code, 0)
    const made = readVisitorKey(dataDir) ?? assert.fail()
    assert.notEqual(made, key)
    assert.equal(await fingerprint(), fingerprintOf(made))
    assert.deepEqual(await notes(), [['visitor-key', nowMs]])
    ;(await lockDataDir(dataDir)).release()
  })

  test('--new accepts VISITOR_KEY, unless it is the present key', async () => {
    const key = createVisitorKey()
    const { dataDir, run, fingerprint, notes } = await installation(open, key)
    const same = await run(['--new', '--yes'], { VISITOR_KEY: key })
    assert.equal(same.code, 1)
    assert.match(same.errors, /VISITOR_KEY is the key that the installation already has: set another key/)
    const VISITOR_KEY = 'a key of the operator, long enough'
    assert.equal((await run(['--new', '--yes'], { VISITOR_KEY })).code, 0)
    assert.equal(await fingerprint(), fingerprintOf(VISITOR_KEY))
    assert.deepEqual(await notes(), [['visitor-key', nowMs]])
    assert.ok(!existsSync(visitorKeyFile(dataDir)), 'the key is not written to disk')
  })
})

test('only y and yes confirm; any other answer, and the end of the input, count as no', async () => {
  for (const answer of ['y', 'Yes', ' YES ']) assert.equal((await ask(answer))[0], true, answer)
  for (const answer of ['', 'n', 'yesterday', undefined]) assert.equal((await ask(answer))[0], false, answer)
  assert.match((await ask('n'))[1], /^All is lost\. Go on\? \[y\/N\] /)
})

/** Answers a question, or ends the input; returns whether that meant yes, and the question. */
async function ask(answer: string | undefined): Promise<[isYes: boolean, question: string]> {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const output = new PassThrough()
  const asked = confirm('All is lost.', { input, output })
  if (answer === undefined) input.end()
  else input.write(`${answer}\n`)
  return [await asked, String(output.read())]
}
