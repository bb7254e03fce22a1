import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { Script } from 'node:vm'
import { openApiDocument } from '../openapi/openapi.ts'
import { operationsOf } from './operations.ts'
import { sampleLanguages, type SampleCall } from './samples.ts'

const call: SampleCall = {
  method: 'POST',
  path: '/api/v1/a/b',
  hasKey: true,
  body: { name: `It's "A"`, tags: ['x'], isOn: true, none: null, 'a-b': 1 },
  answer: 'json',
}
const written = (id: string, one = call) =>
  sampleLanguages.find((language) => language.id === id)?.write(one) ?? ''

test('each language quotes texts and writes constants in its own way', () => {
  assert.match(
    written('curl'),
    /-X POST "\$EVERSCAN_URL\/api\/v1\/a\/b" \\\n {2}-H "X-API-Key: \$EVERSCAN_API_KEY"/,
  )
  const inLine = (id: string) => written(id).replaceAll(/\s+/g, ' ')
  assert.match(written('curl'), /It'\\''s/)
  assert.match(inLine('js'), /name: 'It\\'s "A"', tags: \['x'\], isOn: true, none: null, 'a-b': 1/)
  assert.match(inLine('python'), /"name": "It's \\"A\\"", "tags": \["x"\], "isOn": True, "none": None/)
  assert.match(inLine('php'), /'name' => 'It\\'s "A"', 'tags' => \['x'\], 'isOn' => true, 'none' => null/)
})

test('a request without a key, a body and an answer has none', () => {
  const plain = { method: 'GET', path: '/p', hasKey: false, answer: 'none' } as const
  for (const { id } of sampleLanguages) assert.doesNotMatch(written(id, plain), /API_KEY|json|body/i, id)
})

/** Checks the form of a text, if the machine has the language. */
function checked(program: string, args: readonly string[], text: string): string {
  const { status, stderr, error } = spawnSync(program, args, { input: text, encoding: 'utf8' })
  return error !== undefined || status === 0 ? '' : stderr
}

test('samples of every operation are programs, as far as this machine can tell', () => {
  const calls = operationsOf(openApiDocument()).map((operation) => operation.call)
  const all = (id: string) => calls.map((one) => written(id, one))
  for (const sample of all('curl')) assert.equal(checked('sh', ['-n'], `${sample}\n`), '', sample)
  const python = all('python').map((one) => `compile(${JSON.stringify(one)}, 'sample', 'exec')`)
  assert.equal(checked('python3', ['-'], python.join('\n')), '')
  for (const sample of all('js'))
    assert.doesNotThrow(
      // An import stands only in modules, and "await" only in asynchronous functions.
      () => new Script(`async () => {${sample.replace(/^import .*$/gm, '')}\n}`),
      sample,
    )
})
