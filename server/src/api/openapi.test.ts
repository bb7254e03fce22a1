import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'
import { openApiDocument } from './openapi.ts'
import { routes } from './routes.ts'
import { openTableApi } from './testing.ts'

const document = openApiDocument()

test('every route is in the document, with its permission, and nothing else is', () => {
  const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, { 'x-permission': role }]) => `${method} ${path} ${String(role)}`,
    ),
  )
  const inTable = routes.map(
    ({ method, path, role }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')} ${role}`,
  )
  assert.deepEqual(documented.sort(), inTable.sort())
})

test('operation ids are there once, path parameters are declared and required', () => {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation) => ({ path, operation })),
  )
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

test('every reference leads somewhere, and every schema is JSON Schema 2020-12', () => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)
  for (const [, reference = ''] of references) {
    let target: unknown = document
    for (const step of reference.slice(2).split('/')) target = (target as Record<string, unknown>)[step]
    assert.ok(target, reference)
  }
  const ajv = addFormatsModule.default(new Ajv2020({ strict: false }))
  ajv.addSchema({ $id: 'everscan', components: document.components })
  for (const name of Object.keys(document.components['schemas'] ?? {}))
    assert.ok(ajv.compile({ $ref: `everscan#/components/schemas/${name}` }), name)
})

test('the examples of every schema are valid', () => {
  const ajv = addFormatsModule.default(new Ajv2020({ strict: false }))
  ajv.addSchema({ $id: 'everscan', components: document.components })
  for (const [name, schema] of Object.entries(document.components['schemas'] ?? {})) {
    const validate = ajv.compile({ $ref: `everscan#/components/schemas/${name}` })
    for (const example of (schema['examples'] ?? []) as unknown[])
      assert.ok(validate(example), `${name}: ${JSON.stringify(validate.errors)}`)
  }
})

test('200: served without a key, the same as it is written', async () => {
  const answer = await openTableApi(routes).inject('/api/v1/openapi.json')
  assert.equal(answer.statusCode, 200)
  assert.match(String(answer.headers['content-type']), /^application\/json/)
  assert.deepEqual(answer.json(), JSON.parse(JSON.stringify(document)))
})
