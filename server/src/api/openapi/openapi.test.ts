import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codeTypes } from '@everscan/contract/code-types/code-types.ts'
import { errorCodes, statusPhrases, type ErrorBody } from '@everscan/contract/schema/errors.ts'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import { frontPaths } from './front-paths.ts'
import { openApiDocument } from './openapi.ts'
import { routes } from '../routes.ts'
import { absolute, resolved } from '../testing/documented-answers.ts'
import { openTableApi } from '../testing/api.ts'

type Json = Record<string, unknown>

const document = openApiDocument()
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ title: `${method} ${path}`, path, operation })),
)

test('the document contains every route, with its permission, and what the front answers itself', () => {
  const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { 'x-permission': role }]) => `${method} ${path} ${String(role)}`),
  )
  const inTable = routes.map(
    ({ method, path, role }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')} ${role}`,
  )
  const ofFront = ['get /tls-allowed public']
  assert.deepEqual(documented.sort(), [...inTable, ...ofFront].sort())
})

test('generators of clients take the files of forms for files', () => {
  const forms = operations.flatMap(({ title, operation }) => {
    const { requestBody: { content = {} } = {} } = operation as {
      requestBody?: { content?: Record<string, { schema: { properties: Record<string, Json> } }> }
    }
    const { schema } = content['multipart/form-data'] ?? {}
    return schema === undefined ? [] : [{ title, file: schema.properties['file'] }]
  })
  assert.equal(forms.length, routes.filter(({ form }) => form !== undefined).length)
  for (const { title, file } of forms) assert.equal(file?.['format'], 'binary', title)
})

test('operation ids are unique, and path parameters are declared and required', () => {
  const ids = operations.map(({ operation }) => operation['operationId'])
  assert.equal(new Set(ids).size, ids.length)
  for (const { path, operation } of operations) {
    const parameters = (operation['parameters'] ?? []) as {
      name: string
      in: string
      required: boolean
      schema: object
    }[]
    const inPath = parameters.filter((parameter) => parameter.in === 'path')
    assert.deepEqual(
      inPath.map(({ name }) => `{${name}}`),
      path.match(/\{\w+\}/g) ?? [],
    )
    assert.ok(inPath.every(({ required }) => required))
    assert.ok(parameters.every(({ schema }) => typeof schema === 'object'))
    const pairs = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
    assert.equal(new Set(pairs).size, pairs.length)
  }
})

test('every reference resolves, and every schema is JSON Schema 2020-12', () => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)
  for (const [, reference = ''] of references) {
    let target: unknown = document
    for (const step of reference.slice(2).split('/')) target = (target as Record<string, unknown>)[step]
    assert.ok(target, reference)
  }
  const ajv = addFormatsModule.default(new Ajv2020({ strict: false, inlineRefs: false }))
  ajv.addSchema({ $id: 'everscan', components: document.components })
  for (const name of Object.keys(document.components['schemas'] ?? {}))
    assert.ok(ajv.compile({ $ref: `everscan#/components/schemas/${name}` }), name)
})

test('the type of a code says what its content is', () => {
  const ajv = addFormatsModule.default(new Ajv2020({ strict: false, inlineRefs: false }))
  ajv.addSchema({ $id: 'everscan', components: document.components })
  const isNew = ajv.compile({ $ref: 'everscan#/components/schemas/CreateQrCode' })
  for (const [type, { schema }] of Object.entries(codeTypes)) {
    const [data] = (schema as { examples?: unknown[] }).examples ?? []
    assert.ok(isNew({ type, name: 'A', data }), type)
    assert.ok(!isNew({ type, name: 'A', data: { colour: 'red' } }), type)
    assert.equal(isNew({ type: 'TEXT', name: 'A', data }), type === 'TEXT', type)
  }
})

test('every operation has a summary, a permission, an example of each part, and its errors', () => {
  // The front answers some without a body, and without the catalogue.
  const ofTable = operations.filter(({ path }) => !(path in frontPaths))
  for (const { title, operation } of ofTable) {
    for (const name of ['operationId', 'summary', 'description', 'tags', 'security', 'x-permission'])
      assert.ok(operation[name] !== undefined, `${title} has no ${name}`)
    assert.match(String(operation['summary']), /^[A-Z].*\.$/, title)
    for (const parameter of (operation['parameters'] ?? []) as Json[])
      for (const part of ['description', 'example', 'schema'])
        assert.ok(part in parameter, `${title}: ${String(parameter['name'])} has no ${part}`)
    const { content = {} } = (operation['requestBody'] ?? {}) as { content?: Record<string, Json> }
    for (const [type, media] of Object.entries(content)) {
      assert.ok(media['schema'], `${title}: ${type}`)
      if (type === 'application/json') assert.ok('example' in media, `${title} has no example of its body`)
    }
    const responses = operation['responses'] as Record<string, Json>
    const statuses = Object.keys(responses)
    const expected = [
      '400',
      '500',
      '503',
      ...(operation['x-permission'] === 'public' ? [] : ['401', '403', '429']),
    ]
    for (const status of expected) assert.ok(statuses.includes(status), `${title} lacks ${status}`)
    // A batch that creates answers 200 if every item failed, and an import after a dry run.
    const mayCreateNothing = statuses.filter((status) => status.startsWith('2')).length === 2
    assert.ok(mayCreateNothing || statuses.some((status) => status.startsWith('2')), title)
    const ids = /^(batchCreate|batchClone|startArchiveImport)/
    assert.equal(mayCreateNothing, ids.test(String(operation['operationId'])), title)
    if (mayCreateNothing) assert.ok(statuses.includes('200'), title)
    for (const [status, response] of Object.entries(responses)) checkResponse(`${title} ${status}`, response)
  }
})

function checkResponse(title: string, reference: Json): void {
  const response = resolved(document, reference)
  assert.ok(response?.['description'], title)
  if (title.endsWith(' 304')) return
  const content = (response['content'] ?? {}) as Record<string, Json>
  assert.ok(Object.keys(content).length > 0, `${title} has no content`)
  for (const [type, media] of Object.entries(content)) {
    assert.ok(media['schema'], `${title}: ${type} has no schema`)
    const hasExample = 'example' in media || 'examples' in media
    if (type === 'application/json' && !title.includes('openapi.json'))
      assert.ok(hasExample, `${title} has no example`)
  }
}

test('every error code is in the document, under its status, with an example', () => {
  const responses = document.components['responses'] as Record<string, Json>
  const shown = Object.values(responses).flatMap((response) => {
    const { examples } = (response['content'] as Record<string, Json>)['application/json'] ?? {}
    return Object.entries(examples as Record<string, { value: ErrorBody }>).map(([code, { value }]) => {
      assert.equal(value.code, code)
      assert.equal(value.error, statusPhrases[value.statusCode])
      return [code, value.statusCode] as const
    })
  })
  assert.deepEqual(Object.fromEntries(shown), errorCodes)
  for (const code of Object.keys(errorCodes))
    assert.ok(document.info.description.includes(`\`${code}\``), code)
})

test('every example in the document is valid', () => {
  const ajv = addFormatsModule.default(new Ajv2020({ strict: false, inlineRefs: false }))
  ajv.addSchema({ $id: 'everscan', components: document.components })
  let checked = 0
  // Most examples are of the same few schemas.
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>()
  const check = (place: string, schema: unknown, example: unknown) => {
    const text = JSON.stringify(absolute(schema))
    const validate = compiled.get(text) ?? ajv.compile(JSON.parse(text) as Json)
    compiled.set(text, validate)
    assert.ok(validate(example), `${place}: ${JSON.stringify(example)} ${JSON.stringify(validate.errors)}`)
    checked++
  }
  const walk = (place: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { schema, example, examples } = value as Json
    if (schema !== undefined && example !== undefined) check(place, schema, example)
    if (schema !== undefined && examples !== undefined)
      for (const one of Object.values(examples as Record<string, Json>)) check(place, schema, one['value'])
    if (schema === undefined && Array.isArray(examples)) for (const one of examples) check(place, value, one)
    for (const [key, inner] of Object.entries(value))
      if (!['example', 'examples', 'default', 'enum'].includes(key)) walk(`${place}/${key}`, inner)
  }
  walk('', document)
  assert.ok(checked > 100, `${checked} examples`)
})

test('no route exists under the prefix that is not in the document', async () => {
  const app = openTableApi(routes)
  await app.ready()
  const inTable = new Set(routes.map(({ path }) => path))
  const paths = Object.keys(document.paths).map((path) => path.replaceAll(/\{(\w+)\}/g, ':$1'))
  assert.deepEqual(new Set(paths), new Set([...inTable, ...Object.keys(frontPaths)]))
  for (const { method, path } of routes) assert.ok(app.hasRoute({ method, url: `/api/v1${path}` }), path)
})

test('200: served without a key, identical to the generated document', async () => {
  const answer = await openTableApi(routes).inject('/api/v1/openapi.json')
  assert.equal(answer.statusCode, 200)
  assert.match(String(answer.headers['content-type']), /^application\/json/)
  assert.deepEqual(answer.json(), JSON.parse(JSON.stringify(document)))
})
