import { strictObject } from '@everscan/contract/schema/common.ts'
import { keysOf } from '@everscan/contract/schema/records.ts'
import { codeTypes } from '@everscan/contract/code-types/code-types.ts'
import type { ImportColumn } from '@everscan/contract/code-types/code-type.ts'
import { commonImportColumns, metadataColumn } from '@everscan/contract/code-types/import-columns.ts'
import { OpenData } from '@everscan/contract/code-types/open-data.ts'
import { Type, type TObject, type TProperties, type TSchema } from 'typebox'
import type { Endpoint } from '@everscan/contract/endpoints/endpoint.ts'
import type { Input, RequestParts } from './tool.ts'

/** The parts of a request whose fields become fields of a tool, on one level. */
const parts = ['params', 'query', 'body'] as const

/** Returns the fields of an endpoint's path, query and body, except the organization: the key's. */
export function fieldsOf(endpoint: Endpoint): TProperties {
  return Object.fromEntries(placesOf(endpoint).map(({ name, schema }) => [name, schema]))
}

/** Returns some of the fields. */
export function pick(fields: TProperties, names: readonly string[]): TProperties {
  return Object.fromEntries(names.map((name) => [name, fields[name] as TSchema]))
}

/** Divides the input of a tool among the parts of a request. */
export function partsOf(endpoint: Endpoint, input: Input): RequestParts {
  const given = placesOf(endpoint).filter(({ name }) => Object.hasOwn(input, name))
  const divided = parts
    .filter((part) => endpoint[part] !== undefined)
    .map((part) => {
      const fields = given.filter((place) => place.part === part)
      return [part, Object.fromEntries(fields.map(({ name }) => [name, input[name]]))] as const
    })
  return Object.fromEntries(divided)
}

type Place = { part: (typeof parts)[number]; name: string; schema: TSchema }

/** Returns each field with its part, without those that only say that they cannot change. */
function placesOf(endpoint: Endpoint): Place[] {
  return parts
    .flatMap((part) =>
      Object.entries(propertiesOf(endpoint[part])).map(([name, schema]) => ({ part, name, schema })),
    )
    .filter(({ name, schema }) => name !== 'orgId' && !isFixed(schema))
}

function propertiesOf(schema: TSchema | undefined): TProperties {
  return (schema as TObject | undefined)?.properties ?? {}
}

/** Returns whether a schema rejects every value. */
export function isFixed(schema: TSchema): boolean {
  return 'not' in schema
}

/** `data` with an example of each type: a tool cannot refer to the schemas of other documents. */
export const DataByType = Type.Unsafe<Record<string, unknown>>({
  ...OpenData,
  description: `Content; its fields depend on the type. Examples: ${keysOf(codeTypes)
    .map(
      (type) =>
        `${type} ${JSON.stringify((codeTypes[type].schema as { examples?: unknown[] }).examples?.[0])}`,
    )
    .join('; ')}.`,
})

const written = (columns: readonly ImportColumn[]): string =>
  columns.map(({ name, required }) => (required ? `${name}*` : name)).join(', ')

/** The columns of an import file of each type; required ones have an asterisk. */
export const importColumnsByType: string = [
  `every type: ${[...commonImportColumns].map((name) => (name === 'name' ? 'name*' : name)).join(', ')}, ${metadataColumn('KEY')}`,
  ...keysOf(codeTypes).map((type) => `${type}: ${written(codeTypes[type].importColumns)}`),
].join('; ')

export const dryRunField = {
  dryRun: Type.Optional(
    Type.Boolean({
      description: 'true (default): check everything, return what would change, write nothing. false: do it.',
      default: true,
    }),
  ),
}

/** The keywords of a result, without those that only concern what clients send. */
const keptKeywords = ['type', 'required', 'enum', 'description'] as const

/** Returns the schema of a result, without what only makes it longer. */
export function outputSchema(schema: TSchema): object {
  const { properties, items, ...keywords } = schema as TSchema & {
    properties?: TProperties
    items?: TSchema
  } & Readonly<Record<string, unknown>>
  const inner = properties && Object.entries(properties).map(([name, one]) => [name, outputSchema(one)])
  return {
    ...Object.fromEntries(keptKeywords.flatMap((word) => (word in keywords ? [[word, keywords[word]]] : []))),
    ...(inner && { properties: Object.fromEntries(inner) }),
    ...(items && { items: outputSchema(items) }),
  }
}

/** Before and after of each code, and of each style, that a tool changes or would change. */
export const ChangesOutput = strictObject({
  dryRun: Type.Boolean({ description: 'true: nothing was written.' }),
  changes: Type.Array(
    strictObject({
      id: Type.Optional(Type.String({ description: 'Identifier of the record, if it exists.' })),
      before: Type.Unsafe({
        type: ['object', 'null'],
        description: 'The fields that change, as they were. null: the record is new.',
      }),
      after: Type.Unsafe({
        type: 'object',
        description: 'The same fields after the change. Empty: nothing changes.',
      }),
    }),
  ),
})
