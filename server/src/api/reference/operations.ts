import type { OpenApiDocument } from '../openapi/openapi-document.ts'
import type { SampleCall } from './samples.ts'
import { asJson, textOf, type Json } from './schema-html.ts'

/** An operation of the document, as its page shows it. */
export type Operation = {
  id: string
  tag: string
  method: string
  path: string
  summary: string
  description: string
  parameters: readonly Json[]
  body: { type: string; schema: Json; example: unknown } | undefined
  responses: readonly Response[]
  call: SampleCall
}

/** An answer. `name` is that of a common error, which all operations share. */
export type Response = {
  status: string
  description: string
  name: string | undefined
  schema: Json | undefined
  type: string | undefined
  example: unknown
}

const prefix = '/api/v1'

/** Returns every operation of a document, in its order. */
export function operationsOf({ paths }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(path, method, operation)),
  )
}

function operationOf(path: string, method: string, operation: Json): Operation {
  const parameters = listOf(operation['parameters'])
  const body = bodyOf(asJson(operation['requestBody']))
  const responses = Object.entries(asJson(operation['responses'])).map(([status, one]) =>
    responseOf(status, asJson(one)),
  )
  const success = responses.find(({ status }) => status.startsWith('2'))
  const isForm = body?.type === 'multipart/form-data'
  return {
    id: textOf(operation['operationId']),
    tag: listOfTexts(operation['tags'])[0] ?? '',
    method: method.toUpperCase(),
    path,
    summary: textOf(operation['summary']).replace(/\.$/, ''),
    description: textOf(operation['description']),
    parameters,
    body,
    responses,
    call: {
      method: method.toUpperCase(),
      path: prefix + filledPath(path, parameters),
      hasKey: listOf(operation['security']).some((one) => one['apiKey'] !== undefined),
      ...(body !== undefined && !isForm && { body: body.example }),
      ...(body !== undefined && isForm && { form: formOf(body.schema) }),
      answer: success?.type === undefined ? 'none' : success.type === 'application/json' ? 'json' : 'bytes',
    },
  }
}

function bodyOf(body: Json): Operation['body'] {
  const [found] = Object.entries(asJson(body['content']))
  if (found === undefined) return undefined
  const [type, media] = found
  const { schema, example } = asJson(media)
  return { type, schema: asJson(schema), example: example ?? {} }
}

function responseOf(status: string, response: Json): Response {
  const name = /^#\/components\/responses\/(\w+)$/.exec(textOf(response['$ref']))?.[1]
  const [found] = Object.entries(asJson(response['content']))
  const media = asJson(found?.[1])
  return {
    status,
    name,
    description: textOf(response['description']),
    type: found?.[0],
    schema: media['schema'] === undefined ? undefined : asJson(media['schema']),
    example: media['example'],
  }
}

/** Returns a path with example values, and the parameters of the query that are required. */
function filledPath(path: string, parameters: readonly Json[]): string {
  const exampleOf = (name: string) => parameters.find((one) => one['name'] === name)?.['example'] ?? name
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(textOf(exampleOf(name))),
  )
  const query = parameters
    .filter((one) => one['in'] === 'query' && one['required'] === true)
    .map(({ name }) => `${textOf(name)}=${encodeURIComponent(textOf(exampleOf(textOf(name))))}`)
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`
}

function formOf(schema: Json): NonNullable<SampleCall['form']> {
  const required = new Set(listOfTexts(schema['required']))
  return Object.entries(asJson(schema['properties']))
    .map(([name, one]) => ({ name, field: asJson(one) }))
    .filter(({ name, field }) => required.has(name) || isFile(field))
    .map(({ name, field }) => ({
      name,
      isFile: isFile(field),
      value: isFile(field)
        ? 'file.csv'
        : textOf(firstOf(field['examples']) ?? firstOf(field['enum']) ?? name),
    }))
}

const isFile = (field: Json) => field['contentMediaType'] !== undefined
const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined)
const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.map(asJson) : [])
const listOfTexts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
