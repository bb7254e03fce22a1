import type { OpenApiDocument } from '../../server/src/api/openapi/openapi-document.ts'
import {
  actionOf,
  byDisplayName,
  byName,
  descriptionOf,
  fieldOf,
  optionsOf,
  resolved,
  schemaNamed,
  titleOf,
  type Field,
} from './n8n-fields.ts'
import { n8nResources, withoutN8n } from './n8n-operations.ts'
import { idNameOf, keyOperations, type Operation } from './operations.ts'

/** Functions of `integrations/n8n/nodes/Everscan/requests.ts`, which generated fields name. */
const functions = ['readPages', 'receiveFile', 'sendFile'] as const

/**
 * Returns the files of the n8n node that come from the OpenAPI document, by path. Its build writes
 * them: thousands of lines that nobody reads are no part of the repository.
 */
export function n8nFiles(document: OpenApiDocument): Readonly<Record<string, string>> {
  const operations = new Map(keyOperations(document).map((one) => [one.id, one]))
  for (const operation of unlisted(operations))
    if (resourceOf(operation, operations) === undefined)
      throw new Error(`${operation.id}: give it a place in scripts/clients/n8n-operations.ts`)
  const folder = 'integrations/n8n/nodes/Everscan/resources'
  const names = Object.keys(n8nResources)
  return {
    ...Object.fromEntries(
      names.map((name) => [`${folder}/${name}.ts`, fileOf(name, resourceFields(name, operations, document))]),
    ),
    [`${folder}/resources.ts`]: resourcesFile(names),
    'integrations/n8n/nodes/EverscanTrigger/events.ts': eventsFile(document),
  }
}

function fileOf(name: string, fields: readonly Field[]): string {
  let text = literalOf(fields)
  const used = functions.filter((one) => text.includes(`"@${one}"`))
  for (const one of used) text = text.replaceAll(`"@${one}"`, one)
  const imports = used.length === 0 ? '' : `import { ${used.join(', ')} } from '../requests'\n`
  return `${head}import type { INodeProperties } from 'n8n-workflow'\n${imports}
export const ${name}Fields: INodeProperties[] = ${text}\n`
}

const head = '// Written by `integrations/n8n/build.mts` from the OpenAPI document.\n'

/** Without quotes around keys: n8n's linter reads no others. */
function literalOf(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replaceAll(/^(\s*)"(\w+)":/gm, '$1$2:')
}

function resourcesFile(names: readonly string[]): string {
  const options = names.map((value) => ({ name: n8nResources[value]?.name ?? '', value })).sort(byName)
  const field = {
    displayName: 'Resource',
    name: 'resource',
    type: 'options',
    noDataExpression: true,
    options,
    default: 'qrCode',
  }
  const imports = names.map((name) => `import { ${name}Fields } from './${name}'\n`).join('')
  const spread = names.map((name) => `  ...${name}Fields,\n`).join('')
  return `${head}import type { INodeProperties } from 'n8n-workflow'\n${imports}
export const resourceFields: INodeProperties[] = [\n${literalOf(field)},\n${spread}]\n`
}

function eventsFile(document: OpenApiDocument): string {
  const { properties } = schemaNamed('CreateWebhook', document)
  const values = (properties?.['events']?.items?.enum ?? []).filter((one) => one !== 'webhook.ping')
  return `${head}import type { INodePropertyOptions } from 'n8n-workflow'\n
export const eventOptions: INodePropertyOptions[] = ${literalOf(optionsOf(values))}\n`
}

type Operations = ReadonlyMap<string, Operation>

/** Returns the operations with neither a name in the node nor a reason to be missing there. */
function unlisted(all: Operations): Operation[] {
  const listed = new Set(
    Object.values(n8nResources)
      .flatMap((one) => Object.values(one.operations))
      .map(([id]) => id),
  )
  return [...all.values()].filter(({ id }) => !listed.has(id) && !(id in withoutN8n))
}

/** Returns the resource whose operations have the tag of another. */
function resourceOf({ tag }: Operation, all: Operations): string | undefined {
  return Object.keys(n8nResources).find((name) =>
    Object.values(n8nResources[name]?.operations ?? {}).some(([id]) => all.get(id)?.tag === tag),
  )
}

function resourceFields(resource: string, all: Operations, document: OpenApiDocument): Field[] {
  const listed = Object.entries(n8nResources[resource]?.operations ?? {}).map(
    ([value, [id, name, action]]) => {
      const operation = all.get(id)
      if (operation === undefined) throw new Error(`${id}: the API has no such operation for a key`)
      return { value, name, action, operation }
    },
  )
  const rest = unlisted(all)
    .filter((operation) => resourceOf(operation, all) === resource)
    .map((operation) => ({
      value: operation.id,
      name: titleOf(operation.id),
      action: undefined,
      operation,
    }))
  const operations = [...listed, ...rest]
  const options = operations.map(({ value, name, action, operation }) => ({
    name,
    value,
    action: action ?? actionOf(operation.summary),
    description: descriptionOf(operation.summary),
    routing: operationRouting(operation),
  }))
  const fields = operations.flatMap(({ value, operation }) =>
    shown(operationFields(operation, document), { resource: [resource], operation: [value] }),
  )
  const content = resource === 'qrCode' ? contentFields(document) : []
  return [
    {
      displayName: 'Operation',
      name: 'operation',
      type: 'options',
      noDataExpression: true,
      displayOptions: { show: { resource: [resource] } },
      options: options.sort(byName),
      default: options.some(({ value }) => value === 'getAll') ? 'getAll' : options[0]?.value,
    },
    ...fields.filter((field) => order(field) < 2).sort((a, b) => order(a) - order(b)),
    ...shown(content, { resource: [resource], operation: ['create', 'update'] }),
    ...fields.filter((field) => order(field) === 2),
  ]
}

/** Ids come first, then the type of the content, which decides on the fields after it. */
function order({ name }: Field): number {
  if (name === 'contentType') return 1
  return name.endsWith('Id') ? 0 : 2
}

function shown(fields: readonly Field[], show: object): Field[] {
  return fields.map((field) => {
    const { displayOptions } = field as { displayOptions?: { show?: object } }
    return { ...field, displayOptions: { show: { ...show, ...displayOptions?.show } } }
  })
}

function operationRouting({ method, path, body, success, parameters }: Operation): object {
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'orgId'
      ? '{{ encodeURIComponent($credentials.organizationId) }}'
      : `{{ encodeURIComponent($parameter.${idNameOf(path, name)}) }}`,
  )
  const isFile = !success.mediaTypes.includes('application/json')
  const isForm = body?.mediaType === 'multipart/form-data'
  const isList = parameters.some(({ name }) => name === 'page')
  const list = { type: 'rootProperty', properties: { property: 'data' } }
  return {
    request: {
      method,
      url: `=${url}`,
      ...(isFile && { encoding: 'arraybuffer', json: false, headers: { Accept: '*/*' } }),
    },
    ...(isForm && { send: { preSend: ['@sendFile'] } }),
    ...(isFile && { output: { postReceive: ['@receiveFile'] } }),
    ...(isList && { output: { postReceive: [list] } }),
  }
}

/** Returns the fields of an operation: required ones, then a collection of the optional ones. */
function operationFields(operation: Operation, document: OpenApiDocument): Field[] {
  const { path, method, parameters, body, success } = operation
  const ids = parameters
    .filter((one) => one.in === 'path' && one.name !== 'orgId')
    .map((one) => ({ ...textField(idNameOf(path, one.name), one.description), required: true }))
  const others = parameters.filter(
    (one) => !/^(orgId|page|limit|disposition|If-None-Match)$/.test(one.name) && one.in !== 'path',
  )
  const queried = others.map(({ name, description = '', schema, required, in: place }) => ({
    field: fieldOf(
      name,
      { ...schema, description },
      { type: place === 'query' ? 'query' : 'header', property: name },
      document,
    ),
    required,
  }))
  const bodySchema = body === undefined ? {} : resolved(body.schema, document)
  const hasContent = /^(create|update)QrCode$/.test(operation.id)
  const sent = Object.entries(bodySchema.properties ?? {})
    .filter(([name, { not }]) => not === undefined && !(hasContent && name === 'data'))
    .filter(([, { contentMediaType }]) => contentMediaType === undefined)
    .map(([name, schema]) => ({
      field: fieldOf(name, schema, { type: 'body', property: name }, document),
      required: bodySchema.required?.includes(name) ?? false,
    }))
  const all = [...sent, ...queried].map(({ field, required }) => ({
    // The content of a code follows its type, which an update does not send.
    field: hasContent && field.name === 'type' ? { ...field, name: 'contentType' } : field,
    required,
  }))
  const optional = all.filter(({ required }) => !required).map(({ field }) => field)
  const isList = parameters.some(({ name }) => name === 'page')
  return [
    ...ids,
    ...all.filter(({ required }) => required).map(({ field }) => ({ ...field, required: true })),
    ...(operation.id === 'updateQrCode' ? [keptContent(document)] : []),
    ...(isList ? listFields : []),
    ...(body?.mediaType === 'multipart/form-data' ? [inputFileField] : []),
    ...(success.mediaTypes.includes('application/json') ? [] : [outputFileField]),
    ...(optional.length === 0 ? [] : [collectionOf(isList, method, body !== undefined, optional)]),
  ]
}

function textField(name: string, description = ''): Field {
  return {
    displayName: titleOf(name),
    name,
    type: 'string',
    default: '',
    description: descriptionOf(description),
  }
}

function collectionOf(isList: boolean, method: string, hasBody: boolean, options: readonly Field[]): Field {
  const name = isList
    ? 'filters'
    : method === 'PUT'
      ? 'updateFields'
      : hasBody
        ? 'additionalFields'
        : 'options'
  const word = name === 'filters' ? 'Filter' : name === 'options' ? 'option' : 'Field'
  return {
    displayName: titleOf(name),
    name,
    type: 'collection',
    placeholder: `Add ${word}`,
    default: {},
    options: [...options].sort(byDisplayName),
  }
}

function codeTypes(document: OpenApiDocument): readonly string[] {
  const { properties } = schemaNamed('CreateQrCode', document)
  return (properties?.['type']?.enum ?? []).map(String)
}

function keptContent(document: OpenApiDocument): Field {
  return {
    displayName: 'Content',
    name: 'contentType',
    type: 'options',
    default: 'KEEP',
    options: [
      {
        name: 'Keep as It Is',
        value: 'KEEP',
      },
      ...optionsOf(codeTypes(document)),
    ].sort(byName),
    description: 'The type of the code. Its new content replaces the old as a whole.',
  }
}

/** The fields of the content of a code, by its type. */
function contentFields(document: OpenApiDocument): Field[] {
  return codeTypes(document).flatMap((type) => {
    const name = `${type.charAt(0)}${type.slice(1).toLowerCase()}Data`
    const { properties = {}, required = [] } = schemaNamed(name, document)
    const fields = Object.entries(properties).map(([key, schema]) => ({
      ...fieldOf(key, schema, { type: 'body', property: `data.${key}` }, document),
      name: `content${key.charAt(0).toUpperCase()}${key.slice(1)}`,
      ...(required.includes(key) && { required: true }),
    }))
    const optional = fields.filter((one) => one.required !== true)
    const more: Field = {
      displayName: 'Content Fields',
      name: 'contentFields',
      type: 'collection',
      default: {},
      placeholder: 'Add Field',
      options: optional.sort(byDisplayName),
    }
    const all = [...fields.filter((one) => one.required), ...(optional.length === 0 ? [] : [more])]
    return shown(all, { contentType: [type] })
  })
}

const listFields: readonly Field[] = [
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
    routing: {
      send: { paginate: '={{ $value }}' },
      operations: { pagination: '@readPages' },
    },
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    default: 50,
    typeOptions: {
      minValue: 1,
      maxValue: 100,
    },
    description: 'Max number of results to return',
    displayOptions: { show: { returnAll: [false] } },
    routing: {
      send: {
        type: 'query',
        property: 'limit',
      },
    },
  },
]

const inputFileField: Field = {
  displayName: 'Input Binary Field',
  name: 'inputField',
  type: 'string',
  default: 'data',
  required: true,
  description: 'The name of the input field containing the CSV file to be imported',
}

const outputFileField: Field = {
  displayName: 'Put Output File in Field',
  name: 'outputField',
  type: 'string',
  default: 'data',
  required: true,
  description: 'The name of the output field to put the file in',
}
