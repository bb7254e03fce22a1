import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { Errors } from 'typebox/value'
import { problem as problemOf } from '../problems/problem.ts'
import { CreateApiKey } from '../resources/api-keys.ts'
import { problemsOf, problemsSentence } from './problems.ts'
import { BatchUpdates } from '../resources/batches.ts'
import { CreateQrCode, ListQrCodesQuery, UpdateQrCode } from '../resources/qr-codes.ts'
import { tidyingKeywords } from './tidying.ts'

function ajvProblems(schema: TSchema, value: unknown, prefix?: string) {
  const ajv = new Ajv({ allErrors: true, keywords: [...tidyingKeywords] })
  addFormats.default(ajv)
  const validate = ajv.compile(schema)
  validate(value)
  return problemsOf(validate.errors ?? [], value, prefix)
}

const cases: readonly (readonly [
  schema: TSchema,
  value: unknown,
  problems: readonly (readonly [string, string])[],
])[] = [
  [ListQrCodesQuery, { limit: 250 }, [['limit', 'must be at most 100, got 250']]],
  [ListQrCodesQuery, { limit: 0 }, [['limit', 'must be at least 1, got 0']]],
  [ListQrCodesQuery, { page: 1.5 }, [['page', 'must be a whole number, got 1.5']]],
  [ListQrCodesQuery, { pages: 1 }, [['pages', 'is not a known field']]],
  [ListQrCodesQuery, { order: 'up' }, [['order', 'must be one of "asc", "desc", got "up"']]],
  [ListQrCodesQuery, { tag: ['a', ''] }, [['tag[1]', 'must not be empty']]],
  [CreateQrCode, { type: 'URL', data: {} }, [['name', 'is required']]],
  [CreateQrCode, { type: 'URL', name: '', data: {} }, [['name', 'must not be empty']]],
  [
    CreateQrCode,
    { type: 'URL', name: 'x', data: {}, shortCode: 'a b c' },
    // A code of any domain. The API then checks the form of the chosen one.
    [
      [
        'shortCode',
        'must be 1 to 128 letters, digits or "-_.~+/", without "//", a "/" at its beginning, or a part that is "." or ".."',
      ],
    ],
  ],
  [
    UpdateQrCode,
    { style: { foregroundColor: 'red' } },
    [['style.foregroundColor', 'must be a hex color of the form "#RRGGBB"']],
  ],
  [UpdateQrCode, { style: { margin: 'x' } }, [['style.margin', 'must be a whole number or null, got "x"']]],
  [UpdateQrCode, { metadata: { 'a/b~c': 5 } }, [['metadata.a/b~c', 'must be a string or null, got 5']]],
  [
    BatchUpdates,
    { id: 'qr_1', type: 'URL', createdAt: 0 },
    [
      ['createdAt', 'is not a known field'],
      ['id', 'cannot change'],
      ['type', 'cannot change'],
    ],
  ],
  [UpdateQrCode, 5, [['', 'must be an object, got 5']]],
  [
    CreateApiKey,
    { name: 'x', expiresAt: 'tomorrow', scopes: ['imports', 'imports'], networks: [] },
    [
      ['scopes', 'must not contain the same entry twice'],
      ['expiresAt', 'must be a date or a time with time zone, like "2027-12-31" or "2027-12-31T18:00:00Z"'],
      ['networks', 'must not be empty'],
    ],
  ],
]

for (const [schema, value, expected] of cases) {
  test(`${JSON.stringify(value)}: the same message from Ajv and TypeBox`, () => {
    const found = ajvProblems(schema, value)
    assert.deepEqual(
      found.map(({ path, message }) => [path, message]),
      expected,
    )
    assert.deepEqual(problemsOf(Errors(schema, value), value), found)
  })
}

test('a prefix is put before the path', () => {
  const [problem] = ajvProblems(CreateQrCode, { type: 'URL', name: 5, data: {} }, 'qrCodes[3]')
  assert.deepEqual(problem, {
    path: 'qrCodes[3].name',
    problem: 'wrongType',
    values: { expected: 'string', got: '5' },
    message: 'must be a string, got 5',
  })
})

test('a long value is cut in the message', () => {
  const [problem] = ajvProblems(ListQrCodesQuery, { type: 'x'.repeat(10_000) })
  assert.ok((problem?.message.length ?? 0) < 300)
})

test('the sentence lists the first three problems and counts the rest', () => {
  const problems = ['a', 'b', 'c', 'd', 'e'].map((path) => ({ path, ...problemOf('required') }))
  assert.equal(problemsSentence(problems), 'a: is required; b: is required; c: is required; and 2 more')
  assert.equal(problemsSentence([{ path: '', ...problemOf('wrongForm') }]), 'has the wrong form')
})
