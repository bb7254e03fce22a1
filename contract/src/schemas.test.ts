import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { isRecord } from './schema/records.ts'
import { tidyingKeywords } from './schema/tidying.ts'

type NamedSchema = { name: string; schema: Record<string, unknown> }

/** Every schema that a file in this folder or its subfolders exports. */
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

/** Every schema inside a schema, including itself, with its path. */
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

// Ajv's strict mode without exceptions, as Fastify compiles them; date-time is the only format.
const strictAjv = () => {
  const ajv = new Ajv({ strict: true, allErrors: true, formats: {}, keywords: [...tidyingKeywords] })
  addFormats.default(ajv, ['date-time'])
  return ajv
}

test("every schema compiles in Ajv's strict mode, with date-time as the only format", () => {
  assert.ok(schemas.length > 100, `found ${schemas.length}`)
  const ajv = strictAjv()
  for (const { name, schema } of schemas) assert.doesNotThrow(() => ajv.compile(schema), name)
})

test('every example matches its schema', () => {
  const examples = schemas.flatMap(({ name, schema }) =>
    walk(schema, name).flatMap((inner) =>
      Array.isArray(inner.schema['examples'])
        ? inner.schema['examples'].map((example: unknown) => ({ ...inner, example }))
        : [],
    ),
  )
  assert.ok(examples.length > 50, `found ${examples.length}`)
  const ajv = strictAjv()
  for (const { path, schema, example } of examples) {
    const validate = ajv.compile(schema)
    assert.ok(validate(example), `${path}: ${JSON.stringify(validate.errors)}`)
  }
})

test('every object rejects unknown fields or declares that it is open', () => {
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
      // The server counts the items of a batch and has an error code of its own for too many; the
      // body size bounds them.
      const counted = /^batches\.ts Batch\w+\.(ids|qrCodes)$/.test(inner.path)
      if (type === 'array' && !counted) assert.notEqual(maxItems, undefined, inner.path)
    }
  }
})
