import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { isRecord } from './schema/records.ts'

type NamedSchema = { name: string; schema: Record<string, unknown> }

/** Every schema that a file of this folder or below it exports. */
async function exportedSchemas(): Promise<NamedSchema[]> {
  const files = (await readdir(import.meta.dirname, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  const schemas: NamedSchema[] = []
  for (const file of files) {
    const exports: unknown = await import(`./${file}`)
    for (const [name, value] of Object.entries(isRecord(exports) ? exports : {})) {
      const isSchema = isRecord(value) && /^[A-Z]/.test(name) && ('type' in value || 'anyOf' in value)
      if (isSchema) schemas.push({ name: `${file} ${name}`, schema: value })
    }
  }
  return schemas
}

/** Every schema inside a schema, itself included, with its path. */
function walk(schema: unknown, path: string): { path: string; schema: Record<string, unknown> }[] {
  if (!isRecord(schema)) return []
  const properties = isRecord(schema['properties']) ? Object.entries(schema['properties']) : []
  const inner: [string, unknown][] = [
    ...properties,
    ['[]', schema['items']],
    ['{}', schema['additionalProperties']],
  ]
  return [{ path, schema }, ...inner.flatMap(([key, value]) => walk(value, `${path}.${key}`))]
}

const schemas = await exportedSchemas()

// Ajv's strict mode with nothing allowed, as Fastify compiles them; date-time is the only format.
const strictAjv = () => {
  const ajv = new Ajv({ strict: true, allErrors: true, formats: {}, keywords: ['x-trim'] })
  addFormats.default(ajv, ['date-time'])
  return ajv
}

test('every schema compiles in the strict mode of Ajv, with date-time as the only format', () => {
  assert.ok(schemas.length > 100, `found ${schemas.length}`)
  for (const { name, schema } of schemas) assert.doesNotThrow(() => strictAjv().compile(schema), name)
})

test('every example fits its schema', () => {
  const examples = schemas.flatMap(({ name, schema }) =>
    walk(schema, name).flatMap((inner) =>
      Array.isArray(inner.schema['examples'])
        ? inner.schema['examples'].map((example: unknown) => ({ ...inner, example }))
        : [],
    ),
  )
  assert.ok(examples.length > 50, `found ${examples.length}`)
  for (const { path, schema, example } of examples) {
    const validate = strictAjv().compile(schema)
    assert.ok(validate(example), `${path}: ${JSON.stringify(validate.errors)}`)
  }
})

test('every object refuses unknown fields, or says that it is open', () => {
  for (const { name, schema } of schemas) {
    for (const inner of walk(schema, name)) {
      const type = [inner.schema['type']].flat()
      if (type.includes('object'))
        assert.notEqual(inner.schema['additionalProperties'], undefined, inner.path)
    }
  }
})

test('every text and list that a client sends has an upper bound', () => {
  const inputs = schemas.filter(
    ({ name }) =>
      /(Create(?!d)|Update|Batch|Query|Data)\w*$/.test(name) && !/(Result|Error|Page)$/.test(name),
  )
  assert.ok(inputs.length > 30, `found ${inputs.length}`)
  for (const { name, schema } of inputs) {
    for (const inner of walk(schema, name)) {
      const { type, enum: values, maxLength, maxItems, format, pattern } = inner.schema
      const bounded = maxLength !== undefined || values !== undefined || format !== undefined
      const fixed =
        typeof pattern === 'string' &&
        !/[*+]/.test(pattern.replaceAll(/\[[^\]]*\]/g, 'x').replaceAll('\\+', ''))
      if ([type].flat().includes('string')) assert.ok(bounded || fixed, inner.path)
      // Batches are counted by the server, which has a code of its own for one that is too large; the body's bytes bound them.
      const counted = /^batches\.ts Batch\w+\.(ids|qrCodes)$/.test(inner.path)
      if (type === 'array' && !counted) assert.notEqual(maxItems, undefined, inner.path)
    }
  }
})
