import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { patterns } from '../schema/patterns.ts'
import { problem, withGot } from './problem.ts'
import { problems } from './problems.ts'

test('a problem has its name, its values, and its English with the values in it', () => {
  assert.deepEqual(problem('tooLong', { max: 255, got: 300 }), {
    problem: 'tooLong',
    values: { max: 255, got: 300 },
    message: 'must have at most 255 characters, got 300',
  })
  assert.deepEqual(problem('required'), { problem: 'required', values: {}, message: 'is required' })
  // @ts-expect-error: a value is missing
  problem('tooLong', { max: 255 })
  // @ts-expect-error: it has no values
  problem('required', { max: 255 })
})

test('a value is put in as it is, braces and dollars too', () => {
  for (const got of ['{max}', '$&', '${got}'])
    assert.equal(problem('tooLarge', { max: 9, got }).message, `must be at most 9, got ${got}`)
})

test('the refused text is added to what was expected', () => {
  const found = withGot(problem('shortCodeReserved'), 'login')
  assert.deepEqual(
    [found.values, found.message],
    [{ got: 'login' }, 'must not be a reserved word, got "login"'],
  )
})

test('no problem is there that nothing tells', () => {
  const root = join(import.meta.dirname, '..', '..', '..')
  const sources = globSync('{contract,qr,server}/src/**/*.ts', { cwd: root })
    .filter((path) => !/\/problems\/\w+-problems\.ts$|\.test\.ts$/.test(path))
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join('\n')
  const forms = new Set(Object.keys(patterns).map((name) => `${name}Form`))
  for (const name of Object.keys(problems)) assert.ok(forms.has(name) || sources.includes(`'${name}'`), name)
})

test('no name stands in two parts of the table, where one would hide the other', async () => {
  const parts = globSync('*-{problems,warnings}.ts', { cwd: import.meta.dirname })
  const owners = new Map<string, string>()
  for (const part of parts) {
    const exported: Record<string, unknown> = await import(join(import.meta.dirname, part))
    for (const table of Object.values(exported).filter((value) => typeof value === 'object'))
      for (const name of Object.keys(table ?? {})) {
        assert.equal(owners.get(name), undefined, `${name} of ${part}`)
        owners.set(name, part)
      }
  }
  assert.deepEqual([...owners.keys()].toSorted(), Object.keys(problems).toSorted())
})

test('no English text is there twice, except where forms of fields differ', () => {
  const texts = Object.entries(problems).filter(([, english]) => typeof english === 'string')
  const seen = new Map<unknown, string>()
  for (const [name, english] of texts) {
    if (!name.endsWith('Form')) assert.equal(seen.get(english), undefined, `${name}: ${String(english)}`)
    seen.set(english, name)
  }
})

test('the contract makes its problems of the part of the table that pages load', () => {
  const root = join(import.meta.dirname, '..')
  const whole = globSync('**/*.ts', { cwd: root })
    .filter((path) => !/^problems\/|\.test\.ts$/.test(path))
    .filter((path) =>
      /import \{[^}]*\} from '[^']*\/problems\/problems?\.ts'/.test(readFileSync(join(root, path), 'utf8')),
    )
  assert.deepEqual(whole, [])
})
