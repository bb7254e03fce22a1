import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'

const root = join(import.meta.dirname, '..', '..')
const top = realpathSync(mkdtempSync(join(tmpdir(), 'everscan-build-')))
after(() => rmSync(top, { recursive: true, force: true }))

/** A package that the bundle of the server has. */
const bundled = 'kysely'
const main = `
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { where } from '${bundled}'
import { answer } from './answer.ts'

const beside = readFileSync(join(import.meta.dirname, 'beside.txt'), 'utf8')
const below = readFileSync(new URL('below/one.txt', import.meta.url), 'utf8')
const entry = fileURLToPath(new URL('./main.mjs', import.meta.url))
function whereAmI(): string {
  return new Error('here').stack ?? ''
}
if (process.argv[2] !== 'compile') {
  const thread = new Worker(new URL('./thread.ts', import.meta.url))
  const said = await new Promise((resolve) => thread.once('message', resolve))
  const print = (more: object) =>
    console.log(JSON.stringify({ answer, beside, below, entry, said, where, stack: whereAmI(), ...more }))
  if (process.argv[2] === 'late') {
    print({})
    await new Promise((resolve) => process.stdin.once('data', resolve))
    print(await import('./late.ts'))
    process.stdin.destroy()
  } else print({})
}
`

type Printed = Record<'answer' | 'beside' | 'below' | 'entry' | 'said' | 'where' | 'stack' | 'late', string>

let trees = 0

/** A small server with the real scripts around it. Everything is built. */
function createTree(): string {
  const tree = join(top, `tree ${trees++}`)
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), text)
  }
  write('package.json', '{ "workspaces": [] }')
  write('package-lock.json', '{}')
  write('server/package.json', '{ "type": "module" }')
  write('server/src/main.ts', main)
  write('server/src/answer.ts', `export const answer = 'first'\n`)
  write('server/src/late.ts', `export const late = 'old'\n`)
  write(
    'server/src/thread.ts',
    `import { parentPort } from 'node:worker_threads'\nparentPort?.postMessage('hi')\n`,
  )
  write('server/src/beside.txt', 'beside')
  write('server/src/below/one.txt', 'below')
  for (const path of ['index.html', 'share.html', 'vite.config.ts', 'src/a.ts', 'public/a.svg'])
    write(`web/${path}`, '')
  for (const name of ['client', 'contract', 'qr', 'pages']) write(`${name}/src/a.ts`, '')
  write('node_modules/vite/package.json', '{}')
  write('node_modules/vite/bin/vite.js', '')
  for (const name of ['kysely', 'typebox', 'typebox/value'])
    write(`node_modules/${name}/index.js`, 'export const where = new Error().stack')
  write('node_modules/kysely/LICENSE', 'Licence of a package')
  symlinkSync(join(root, 'node_modules/rolldown'), join(tree, 'node_modules/rolldown'))
  for (const folder of ['scripts/bundle', 'server/src/loading'])
    mkdirSync(join(tree, folder), { recursive: true })
  for (const path of [
    ...['build', 'run-child', 'run-npm', 'bundle/bundle-server', 'bundle/kept-places'].map(
      (name) => `scripts/${name}.mjs`,
    ),
    ...[
      'main',
      ...['compile-cache', 'current-bundle', 'node-version', 'resolve-sources'].map(
        (name) => `loading/${name}`,
      ),
    ].map((name) => `server/src/${name}.mjs`),
  ])
    copyFileSync(join(root, path), join(tree, path))
  return tree
}

/** Returns what the build printed. */
function build(tree: string): string {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs'], {
    cwd: tree,
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  return stderr
}

function run(tree: string): Printed {
  return JSON.parse(execFileSync(process.execPath, [join(tree, 'server/src/main.mjs')], { encoding: 'utf8' }))
}

const edit = (tree: string, path: string, text: string) => writeFileSync(join(tree, 'server/src', path), text)
const folderOf = (tree: string): string =>
  JSON.parse(readFileSync(join(tree, 'server/dist/bundle/index.json'), 'utf8')).folder

describe('a built server', () => {
  const tree = createTree()
  build(tree)

  test('runs its bundle, with files beside its sources and threads of its own', () => {
    const { stack, entry, where, ...printed } = run(tree)
    assert.match(where, /dist\/bundle/)
    assert.match(
      stack,
      /^Error: here\n +at whereAmI \(file:.*\/server\/dist\/bundle\/a\/everscan\.mjs:\d+:\d+\)/,
    )
    // Its processes need not look again.
    assert.equal(entry, join(tree, 'server/dist/bundle/a/main.mjs'))
    assert.deepEqual(printed, { answer: 'first', beside: 'beside', below: 'below', said: 'hi' })
    assert.ok(existsSync(join(tree, 'node_modules/.cache/compiled')))
  })

  test('that was moved runs its bundle there', () => {
    const moved = createTree()
    build(moved)
    const place = join(top, 'elsewhere')
    renameSync(moved, place)
    const { stack, beside, said } = run(place)
    assert.match(stack, /elsewhere\/server\/dist\/bundle\/a\//)
    assert.deepEqual([beside, said], ['beside', 'hi'])
  })

  test('runs sources that changed since, until the next build', () => {
    edit(tree, 'answer.ts', `export const answer = 'second'\n`)
    const { answer, stack, entry, where } = run(tree)
    assert.match(where, /server\/dist\/bundle\/a\//, 'packages of many files come from the bundle')
    assert.deepEqual([answer, entry], ['second', join(tree, 'server/src/main.mjs')])
    assert.match(stack, /server\/src\/main\.ts:/)
    build(tree)
    assert.equal(run(tree).answer, 'second')
    assert.match(run(tree).stack, /server\/dist\/bundle\/b\//)
  })

  test('sources with other times and the same content need no other bundle', () => {
    const now = new Date()
    utimesSync(join(tree, 'server/src/answer.ts'), now, now)
    assert.match(run(tree).stack, /server\/src\/main\.ts:/)
    const before = folderOf(tree)
    build(tree)
    assert.equal(folderOf(tree), before)
    assert.match(run(tree).stack, /server\/dist\/bundle\//)
  })

  test('a bundle that is gone is built again, with the licences of its packages', () => {
    rmSync(join(tree, 'server/dist/bundle/index.json'))
    build(tree)
    const { stack } = run(tree)
    assert.match(stack, /server\/dist\/bundle\//)
    const licences = readFileSync(join(tree, `server/dist/bundle/${folderOf(tree)}/licences.txt`), 'utf8')
    assert.match(licences, /kysely\/LICENSE\n\nLicence of a package/)
  })

  test('a source of another size or none is a change too, whatever its time', () => {
    const path = join(tree, 'server/src/answer.ts')
    const { mtime } = statSync(path)
    edit(tree, 'answer.ts', `export const answer = 'restored from elsewhere'\n`)
    utimesSync(path, mtime, mtime)
    assert.equal(run(tree).answer, 'restored from elsewhere')
    build(tree)
    rmSync(path)
    assert.throws(() => run(tree), /server\/src\/answer\.ts/)
    edit(tree, 'answer.ts', `export const answer = 'first'\n`)
  })

  test('a change of the lockfile is one', () => {
    build(tree)
    assert.match(run(tree).stack, /dist\/bundle/)
    writeFileSync(join(tree, 'package-lock.json'), '{ }')
    assert.match(run(tree).stack, /server\/src\/main\.ts:/)
  })

  test('a process goes on with its bundle while another is built', async (t) => {
    build(tree)
    const child = spawn(process.execPath, [join(tree, 'server/src/main.mjs'), 'late'], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    t.after(() => child.kill('SIGKILL'))
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk))
    await Promise.race([once(child.stdout, 'data'), once(child, 'close')])
    edit(tree, 'late.ts', `export const late = 'new'\n`)
    build(tree)
    child.stdin.write('go\n')
    await once(child, 'close')
    const { late } = JSON.parse(printed.trim().split('\n').at(-1) ?? '') as Printed
    assert.equal(late, 'old')
  })
})

test('a bundle that might find no file is refused with each reason, and the sources run', () => {
  const tree = createTree()
  build(tree)
  const packaged = (name: string, text: string): void => {
    mkdirSync(join(tree, 'node_modules', name))
    writeFileSync(join(tree, 'node_modules', name, 'index.js'), text)
  }
  const own = [
    'export const file = import.meta.filename',
    `const name = 'a'\nexport const url = new URL(name, import.meta.url)`,
    `import { join } from 'node:path'\nexport const path = join(import.meta.dirname, 'thread.ts')`,
    `export const url = new URL('none.txt', import.meta.url)`,
    `const name = './late.ts'\nexport const load = () => import(name)`,
    'export const isMain = import.meta.main',
  ]
  own.forEach((text, i) => edit(tree, `own-${i}.ts`, text))
  packaged('sloppy', 'module.exports = 1')
  packaged('reads-files', `'use strict'\nmodule.exports = () => __dirname`)
  packaged('chooses', `'use strict'\nmodule.exports = (name) => require(name)`)
  const imports = [...own.map((_, i) => `./own-${i}.ts`), 'sloppy', 'reads-files', 'chooses']
  const lines = imports.map((name) => `import ${JSON.stringify(name)}\n`)
  edit(tree, 'answer.ts', `${lines.join('')}export const answer = 'from sources'\n`)
  const printed = build(tree)
  for (const [i] of own.entries()) assert.match(printed, new RegExp(`src/own-${i}\\.ts: `))
  assert.match(printed, /sloppy\/index\.js is not strict/)
  for (const name of ['reads-files', 'chooses'])
    assert.ok(printed.includes(`${name}/index.js looks for files`))
  assert.match(printed, /could not be bundled; see the reason above\. It runs from its sources/)
  assert.match(build(tree), /could not be bundled/, 'each build says so')
  const { answer, entry } = run(tree)
  assert.deepEqual([answer, entry], ['from sources', join(tree, 'server/src/main.mjs')])
})
