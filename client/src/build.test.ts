import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { glob, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createContext, runInContext } from 'node:vm'
import { rolldown } from 'rolldown'
import { isRecord } from '@everscan/contract/schema/records.ts'
import { build } from '../build.ts'

const root = join(import.meta.dirname, '..', '..')
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')

/** A project with the packed client in its node_modules, and nothing else. */
let project = ''
let installed = ''
before(async () => {
  project = await mkdtemp(join(tmpdir(), 'everscan-client-'))
  const built = join(project, 'built')
  await build(built)
  const options = ['--ignore-scripts', '--offline', '--json', '--pack-destination', project]
  const [{ filename }] = JSON.parse(
    execFileSync('npm', ['pack', ...options], {
      cwd: built,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as [{ filename: string }]
  installed = join(project, 'node_modules', '@everscan', 'client')
  await mkdir(installed, { recursive: true })
  execFileSync('tar', ['-xzf', join(project, filename), '--strip-components=1', '-C', installed])
  await rm(built, { recursive: true })
})
after(() => rm(project, { recursive: true, force: true }))

test('the package has its JavaScript with declarations, and neither sources nor tests', async () => {
  const packed = (await Array.fromAsync(glob('**', { cwd: installed }))).sort()
  const sources = (await Array.fromAsync(glob('{,calls/}*.ts', { cwd: import.meta.dirname })))
    .filter((name) => !name.endsWith('.test.ts'))
    .map((name) => name.replace(/\.ts$/, ''))
  const examples = await readdir(join(root, 'client', 'examples'))
  const expected = [
    '.',
    'LICENSE',
    'README.md',
    'package.json',
    'calls',
    'examples',
    'contract.d.ts',
    ...examples.map((name) => `examples/${name}`),
    ...sources.flatMap((name) => [`${name}.js`, `${name}.d.ts`]),
  ]
  assert.deepEqual(packed, expected.sort())
  assert.doesNotMatch(await readFile(join(installed, 'README.md'), 'utf8'), /\]\(\.\.\//)
})

test('the manifest can be published, with the version of the project and no dependency', async () => {
  const manifest = await readJson(join(installed, 'package.json'))
  const { version } = await readJson(join(root, 'package.json'))
  assert.equal(manifest['version'], version)
  assert.equal(manifest['sideEffects'], false)
  for (const name of ['private', 'scripts', 'dependencies', 'devDependencies', 'peerDependencies'])
    assert.ok(!(name in manifest), name)
  for (const name of ['name', 'description', 'license', 'engines', 'main', 'types', 'exports'])
    assert.ok(name in manifest, name)
})

test('no file imports anything from outside', async () => {
  for await (const file of glob('{,calls/}*.{js,d.ts}', { cwd: installed })) {
    const text = await readFile(join(installed, file), 'utf8')
    for (const [, name = ''] of text.matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g))
      if (name !== '@everscan/client') assert.match(name, /^\.{1,2}\/(?:calls\/)?[\w-]+\.js$/, file)
  }
})

const consumer = `import { createClient, iterate, NotFoundError, type Client, type QrCodeOf, type ErrorCode } from '@everscan/client'
const everscan: Client = createClient({ baseUrl: 'https://qr.example.com', apiKey: 'evs_1' })
export async function use(orgId: string): Promise<string> {
  const code: QrCodeOf<'WIFI'> = await everscan.qrCodes.create(orgId, { type: 'WIFI', name: 'A', data: { ssid: 'B' } })
  // @ts-expect-error -- the content of another type
  await everscan.qrCodes.create(orgId, { type: 'URL', name: 'A', data: { ssid: 'B' } })
  // @ts-expect-error -- an unknown kind of event
  await everscan.webhooks.create(orgId, { url: 'https://example.com', events: ['qr.eaten'] })
  for await (const { qrCodeCount } of iterate((page) => everscan.tags.list(orgId, page))) qrCodeCount.toFixed()
  const error = new NotFoundError('Gone.', { status: 404, code: 'NOT_FOUND' })
  const known: ErrorCode | 'CONNECTION_FAILED' | 'TIMED_OUT' | 'UNEXPECTED_ANSWER' = error.code
  return code.data.ssid + known + code.shortUrl.length
}
`

for (const [resolution, module] of [
  ['node16', 'node16'],
  ['bundler', 'esnext'],
] as const)
  test(`types resolve in a strict project with moduleResolution ${resolution}`, async () => {
    await writeFile(join(project, 'package.json'), '{ "type": "module" }')
    await writeFile(join(project, 'use.ts'), consumer)
    compileUse('--module', module, '--moduleResolution', resolution, '--skipLibCheck', 'false')
  })

test('the published types are those of the sources', async () => {
  const entry = join(import.meta.dirname, 'create-client.ts')
  const generated = await readFile(join(import.meta.dirname, 'calls', 'types.ts'), 'utf8')
  const names = [
    ...`${await readFile(entry, 'utf8')}${generated}`.matchAll(/^export (?:type )?\{([^}]*)\}/gm),
  ]
    .flatMap(([whole, list = '']) =>
      list.split(',').map((name) => ({
        name: name.replace('type', '').trim(),
        isType: /^(export )?type /.test(whole.startsWith('export type') ? whole : name.trim()),
      })),
    )
    .filter(({ name, isType }) => isType && name !== '')
  assert.ok(names.length > 100, `${names.length} types`)
  const lines = names.map(({ name }) => {
    const of = /^(QrCodeOf|CreateQrCodeOf)$/.test(name)
      ? `${name}<'MENU'>`
      : /^AnyPage$/.test(name)
        ? `${name}<string>`
        : name
    return `same<Published.${of}, Ours.${of}>(true)`
  })
  await writeFile(
    join(project, 'use.ts'),
    `import type * as Published from '@everscan/client'
import type * as Ours from '${entry}'
type Names<T> = T extends unknown ? keyof T : never
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? ([Names<A>] extends [Names<B>] ? ([Names<B>] extends [Names<A>] ? true : never) : never) : never) : never
declare function same<A, B>(same: Same<A, B>): void
same<Published.Client, Ours.Client>(true)
${lines.join('\n')}
`,
  )
  compileUse('--module', 'nodenext', '--allowImportingTsExtensions', '--exactOptionalPropertyTypes')
})

test('it works in a bundle for browsers, without Node', async () => {
  await writeFile(
    join(project, 'browser.js'),
    `export { createClient, verifyWebhook } from '@everscan/client'`,
  )
  const bundle = await rolldown({ input: join(project, 'browser.js'), platform: 'browser', logLevel: 'warn' })
  const { output } = await bundle.generate({ format: 'iife', name: 'everscan' })
  assert.deepEqual(output[0].imports, [])
  const { URL, URLSearchParams, Headers, AbortController, TextDecoder, setTimeout, clearTimeout } = globalThis
  const sent: string[] = []
  const fetch = async (url: string, { headers }: { headers: Headers }) => {
    sent.push(`${url} ${headers.get('x-api-key')}`)
    return Response.json({ organizations: [{ id: 'org_1' }] })
  }
  const page = createContext({
    URL,
    URLSearchParams,
    Headers,
    AbortController,
    TextDecoder,
    setTimeout,
    clearTimeout,
    fetch,
  })
  runInContext(output[0].code, page)
  const listed: unknown = await runInContext(
    `everscan.createClient({ baseUrl: 'https://qr.example.com', apiKey: 'evs_1' }).organizations.listMine()`,
    page,
  )
  assert.ok(Array.isArray(listed) && isRecord(listed[0]) && listed[0]['id'] === 'org_1')
  assert.deepEqual(sent, ['https://qr.example.com/api/v1/users/me/organizations evs_1'])
})

async function readJson(path: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(path, 'utf8'))
}

/** Compiles `use.ts` of the project, without emitting. */
function compileUse(...options: string[]): void {
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      tsc,
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--types',
      '',
      '--lib',
      'es2023,dom,dom.iterable',
      ...options,
      'use.ts',
    ],
    { cwd: project, encoding: 'utf8' },
  )
  assert.equal(status, 0, stdout)
}
