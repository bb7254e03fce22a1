import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { commandMemory, runCommandChild } from './command-child.ts'

const dir = mkdtempSync(join(tmpdir(), 'everscan-command-'))
after(() => rmSync(dir, { recursive: true }))

let files = 0
/** Runs a program instead of the command. */
function run(program: string, { signal = new AbortController().signal, endMs = 10_000 } = {}) {
  const entry = join(dir, `${files++}.mjs`)
  writeFileSync(entry, program)
  return runCommandChild(['backup', '--json'], { entry, environment: { WORD: 'given' }, signal, endMs })
}

test('runCommandChild returns the output of a command, its success, and its last line', async () => {
  const printed = await run(
    `import os from 'node:os'
     console.error('10 rows\\neverscan: no room\\n')
     console.log(JSON.stringify({ words: process.argv.slice(2), env: process.env, nice: os.getPriority() }))
     process.exitCode = 1`,
  )
  assert.equal(printed.succeeded, false)
  assert.equal(printed.lastLine, 'everscan: no room')
  const { words, env, nice } = printed.json as { words: string[]; env: Record<string, string>; nice: number }
  assert.deepEqual(words, ['backup', '--json'])
  assert.equal(env['WORD'], 'given')
  assert.equal(env['PATH'], undefined)
  assert.equal(nice, 19)
  const silent = await run('process.exit(3)')
  assert.deepEqual(silent, { succeeded: false, json: undefined, lastLine: 'exit status 3' })
  assert.deepEqual(await run('console.log("{}")'), { succeeded: true, json: {}, lastLine: 'exit status 0' })
  const killed = await run('console.error("half a"); process.kill(process.pid, "SIGKILL")')
  assert.match(killed.lastLine, /^killed from outside, as a rule for lack of memory .*needs 1 GiB/)
})

test('a stop sends SIGTERM, then SIGKILL if the command does not end', async () => {
  /** Stops a program once it listens for SIGTERM, and returns how it ended. */
  const stopped = async (onSignal: string, endMs: number): Promise<string> => {
    const marker = join(dir, `listens-${files}`)
    const stopping = new AbortController()
    const program = `import { writeFileSync } from 'node:fs'
      process.on('SIGTERM', () => { ${onSignal} })
      setInterval(() => undefined, 1000)
      writeFileSync(${JSON.stringify(marker)}, '')`
    const running = run(program, { signal: stopping.signal, endMs })
    while (!existsSync(marker)) await sleep(10)
    stopping.abort()
    return (await running).lastLine
  }
  assert.equal(await stopped('process.exit(7)', 60_000), 'exit status 7')
  assert.equal(await stopped('', 200), 'ended by SIGKILL')
  const late = await run('console.log("{}")', { signal: AbortSignal.abort() })
  assert.deepEqual(late, { succeeded: false, json: undefined, lastLine: 'not begun' })
})

test('a command gets the same memory limits as from ./everscan', async () => {
  const launcher = readFileSync(join(import.meta.dirname, '..', '..', '..', 'everscan'), 'utf8')
  assert.ok(launcher.includes(`memory='${commandMemory.join(' ')}'`))
  const { json } = await run('console.log(JSON.stringify(process.execArgv))')
  assert.deepEqual(json, commandMemory)
})
