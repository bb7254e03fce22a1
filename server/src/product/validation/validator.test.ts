import assert from 'node:assert/strict'
import { test } from 'node:test'
import { IdInput, nullable, oneOf } from '@everscan/contract/schema/common.ts'
import { Type, type TSchema } from 'typebox'
import { ApiError } from '../../errors.ts'
import { validatorOf } from './validator.ts'
import type { RequestPart } from './problem-finder.ts'

const strict = { additionalProperties: false }
const body = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 5 }),
    kind: Type.Optional(oneOf(['URL', 'TEXT'])),
    folderId: Type.Optional(nullable(IdInput('A folder.'))),
    tags: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 3 })),
    size: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  strict,
)
const query = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 20 })),
    tag: Type.Optional(Type.Array(Type.String())),
    hidden: Type.Optional(Type.Boolean()),
    search: Type.Optional(Type.String()),
  },
  strict,
)

test('every problem of a body is reported, with a message that says what to do', () => {
  const cases: [unknown, string][] = [
    [{}, 'name: is required'],
    [{ name: '' }, 'name: must not be empty'],
    [{ name: 'abcdef' }, 'name: must have at most 5 characters, got 6'],
    [{ name: 7 }, 'name: must be a string, got 7'],
    [{ name: 'a', colour: 1 }, 'colour: is not a known field'],
    [{ name: 'a', kind: 'FAX' }, 'kind: must be one of "URL", "TEXT", got "FAX"'],
    [{ name: 'a', kind: 7 }, 'kind: must be a string, got 7'],
    [{ name: 'a', folderId: 7 }, 'folderId: must be a string or null, got 7'],
    [{ name: 'a', folderId: '\n' }, 'folderId: must be an identifier'],
    [{ name: 'a', tags: ['', 'b'] }, 'tags[0]: must not be empty'],
    [{ name: 'a', tags: ['a', 'b', 'c', 'd'] }, 'tags: must have at most 3 entries, got 4'],
    [{ name: 'a', size: '1' }, 'size: must be a whole number, got "1"'],
    [{ name: 'a', size: 1.5 }, 'size: must be a whole number, got 1.5'],
    [{ name: 'a\0' }, 'name: must not contain the character U+0000'],
    [{ name: 'a', '\0': 1 }, 'The body must have no field with the character U+0000 in its name'],
    [null, 'The body must be an object, got null'],
    [[], 'The body must be an object, got an array'],
    [{ size: 0, more: 1 }, 'name: is required; more: is not a known field; size: must be at least 1, got 0'],
  ]
  for (const [value, message] of cases) assert.equal(messageOf(body, 'body', value), message)
})

test('query parameters are texts: numbers, booleans and lists are parsed, and defaults applied', () => {
  const value = { tag: 'a', hidden: 'true' }
  validatorOf(query, 'querystring')(value)
  assert.deepEqual(value, { limit: 20, tag: ['a'], hidden: true })
})

test('problems of a query name the parameter in quotes', () => {
  const cases: [unknown, string][] = [
    [{ limit: '250' }, '"limit" must be at most 100, got 250'],
    [{ limit: '0' }, '"limit" must be at least 1, got 0'],
    [{ limit: '2.5' }, '"limit" must be a whole number, got "2.5"'],
    [{ limit: '1e1' }, '"limit" must be a whole number, got "1e1"'],
    [{ limit: '0x10' }, '"limit" must be a whole number, got "0x10"'],
    [{ limit: '+5' }, '"limit" must be a whole number, got "+5"'],
    [{ limit: '' }, '"limit" must be a whole number, got ""'],
    [{ limit: ['1', '2'] }, '"limit" must be given once'],
    [{ search: ['a', 'b'] }, '"search" must be given once'],
    [{ hidden: 'yes' }, '"hidden" must be true or false, got "yes"'],
    [{ colour: 'red' }, '"colour" is not a known parameter'],
    [{ search: 'a\0' }, '"search" must not contain the character U+0000'],
  ]
  for (const [value, message] of cases) assert.equal(messageOf(query, 'querystring', value), message)
})

test('a malformed id in a path is an unknown id', () => {
  const params = Type.Object({ id: Type.String({ pattern: '^qr_' }) }, strict)
  assert.throws(() => validatorOf(params, 'params')({ id: 'x' }), { status: 404, code: 'NOT_FOUND' })
})

test('a huge or deeply nested body costs no more than its parsing', () => {
  const many = { name: 'a', tags: Array.from({ length: 300_000 }, () => 1) }
  // CPU time of this process, so that other work on the machine does not count.
  const before = process.cpuUsage()
  assert.equal(messageOf(body, 'body', many), 'tags: must have at most 3 entries, got 300000')
  const { user, system } = process.cpuUsage(before)
  assert.ok(user + system < 1_000_000, `${user + system} us`)
  let deep: unknown = 1
  for (let i = 0; i < 50_000; i++) deep = [deep]
  assert.equal(messageOf(body, 'body', { name: deep }), 'The body is nested too deeply')
})

function messageOf(schema: TSchema, part: RequestPart, value: unknown): string {
  try {
    validatorOf(schema, part)(value)
  } catch (error) {
    assert.ok(error instanceof ApiError)
    assert.equal(error.status, 400)
    assert.ok((error.details?.length ?? 0) > 0)
    return error.message
  }
  return assert.fail(`nothing was wrong with ${JSON.stringify(value)}`)
}
