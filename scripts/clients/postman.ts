import type { OpenApiDocument } from '../../server/src/api/openapi/openapi-document.ts'
import { idNameOf, keyOperations, type Operation, type Parameter } from './operations.ts'

/** Ids that an answer has elsewhere than in `id`, by operation: the variable and the place. */
const stored: Readonly<Record<string, readonly [variable: string, place: string]>> = {
  listMyOrganizations: ['organizationId', 'organizations[0].id'],
  batchCreateQrCodes: ['qrCodeId', 'data[0].id'],
  batchCloneQrCodes: ['clonedQrCodeId', 'data[0].id'],
  listWebhookDeliveries: ['deliveryId', 'data[0]?.id'],
}

type Refusals = readonly (readonly [status: number, reason: string])[]

/**
 * Answers besides success that are right when the collection is run as a whole, with its examples
 * and without a file: by operation.
 */
const noFile = 'no file is chosen'
const noJob = 'no file was chosen for a job'
const refusals: Readonly<Record<string, Refusals>> = {
  startImport: [[400, noFile]],
  previewImport: [[400, noFile]],
  cancelImport: [[404, noJob]],
  downloadImportErrors: [[404, noJob]],
  startMove: [[400, noFile]],
  cancelMove: [
    [404, noJob],
    [409, 'it has ended'],
  ],
  downloadMoveErrors: [[404, noJob]],
  startComparison: [
    [404, noJob],
    [409, 'no link moved'],
  ],
  readComparison: [[404, 'there is none']],
  startArchiveImport: [
    [200, 'it is a dry run'],
    [400, 'the file is no archive'],
    [409, 'the organization is not empty'],
  ],
  readArchiveImport: [[404, 'nothing is imported']],
  downloadArchivedIds: [[404, 'nothing is imported']],
  restoreQrCode: [[404, 'the deletion was final']],
  purgeQrCode: [[404, 'the deletion was final']],
  giveDomainNotice: [
    [404, 'the domain is deleted'],
    [409, 'the domain is not proved'],
  ],
  withdrawDomainNotice: [
    [404, 'the domain is deleted'],
    [409, 'no notice is open'],
  ],
  sendViewMail: [[409, 'the view has no mail']],
  switchMails: [
    [404, 'only the operator may'],
    [405, 'no organization is chosen'],
  ],
  updateMember: [
    [404, 'there is no such member'],
    [405, 'no member is chosen'],
  ],
  removeMember: [
    [404, 'there is no such member'],
    [405, 'no member is chosen'],
  ],
}

const introduction = `The REST API of an Everscan service. Set the variables \`baseUrl\` and \`apiKey\`, then send "List the
organizations of the caller": it sets \`organizationId\`. Requests that create something keep its id in a
variable for those that read, change and delete it. Optional parameters are there, switched off.

Not here: what needs a signed-in person, and the live stream of events. Made from the OpenAPI document.`

/** Returns the collection of all operations that accept an API key, in Postman's format 2.1. */
export function postmanCollection(document: OpenApiDocument): string {
  const operations = keyOperations(document)
  const ids = operations.flatMap(({ path }) => pathIds(path).map((name) => idNameOf(path, name)))
  const variables = new Set([...ids, ...Object.values(stored).map(([name]) => name)])
  const collection = {
    info: {
      name: 'Everscan',
      description: introduction,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'apikey',
      apikey: [
        { key: 'key', value: 'X-API-Key', type: 'string' },
        { key: 'value', value: '{{apiKey}}', type: 'string' },
        { key: 'in', value: 'header', type: 'string' },
      ],
    },
    variable: [
      { key: 'baseUrl', value: 'http://localhost:3000' },
      { key: 'apiKey', value: '', type: 'secret' },
      ...[...variables].map((key) => ({ key, value: '' })),
    ],
    item: (document.tags as { name: string; description?: string }[]).flatMap(({ name, description }) => {
      const inFolder = operations.filter(({ tag }) => tag === name).sort((a, b) => rank(a) - rank(b))
      const item = inFolder.map((operation) => requestOf(operation, operations))
      return item.length === 0 ? [] : [{ name, ...(description && { description }), item }]
    }),
  }
  return `${JSON.stringify(collection, undefined, 2)}\n`
}

/** A folder that is run as a whole creates first and deletes last. */
function rank({ id, method, path, success }: Operation): number {
  // Sets the organization of all other requests.
  if (id === 'listMyOrganizations') return -1
  if (method === 'DELETE') return 2
  return success.status === 200 || path.endsWith('}') ? 1 : 0
}

function requestOf(operation: Operation, all: readonly Operation[]): object {
  const { method, path, summary, description, parameters, body } = operation
  const pathParts = `api/v1${path}`.split('/').map((part) => part.replace(/^\{(.*)\}$/, ':$1'))
  const query = parameters.filter((one) => one.in === 'query').flatMap(queryOf)
  const sent = query.filter(({ disabled }) => disabled !== true).map(({ key, value }) => `${key}=${value}`)
  const headers = parameters.filter((one) => one.in === 'header').map(headerOf)
  const isJson = body?.mediaType === 'application/json'
  return {
    name: summary.replace(/\.$/, ''),
    ...scriptOf(operation, all),
    request: {
      method,
      description,
      header: [...(isJson ? [{ key: 'Content-Type', value: 'application/json' }] : []), ...headers],
      url: {
        raw: [`{{baseUrl}}/${pathParts.join('/')}`, ...sent].join('?'),
        host: ['{{baseUrl}}'],
        path: pathParts,
        ...(query.length > 0 && { query }),
        variable: pathIds(path).map((key) => ({ key, value: `{{${idNameOf(path, key)}}}` })),
      },
      ...(body !== undefined && { body: isJson ? jsonBody(operation) : formBody(operation) }),
    },
    response: [],
  }
}

function pathIds(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
}

type Query = { key: string; value: string; description?: string; disabled?: true }

function queryOf({ name, required, description, example }: Parameter): Query[] {
  return [example].flat().map((value) => ({
    key: name,
    value: name === 'organizationId' ? '{{organizationId}}' : textOf(value),
    ...(description !== undefined && { description }),
    ...(!required && { disabled: true as const }),
  }))
}

/** Examples of parameters and of fields in forms are no objects. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '').replaceAll('"', '')
}

function headerOf({ name, description, example }: Parameter): object {
  return { key: name, value: textOf(example), description, disabled: true }
}

/** The example of the contract. Ids in it become those of the collection. */
function jsonBody({ id, body }: Operation): object {
  const variable = id === 'batchDeleteQrCodes' ? 'clonedQrCodeId' : 'qrCodeId'
  const raw = JSON.stringify(body?.example, undefined, 2).replaceAll(
    /"qr_[0-9a-z]{26}"/g,
    `"{{${variable}}}"`,
  )
  return { mode: 'raw', raw, options: { raw: { language: 'json' } } }
}

/** Fields of JSON are texts. */
const isFile = ({ contentMediaType }: { contentMediaType?: string }) =>
  contentMediaType !== undefined && contentMediaType !== 'application/json'

function formBody({ body }: Operation): object {
  const { properties = {}, required = [] } = body?.schema ?? {}
  const formdata = Object.entries(properties).map(([key, field]) => ({
    key,
    ...(isFile(field)
      ? { type: 'file', src: null }
      : { type: 'text', value: textOf(field.default ?? field.enum?.[0] ?? field.examples?.[0]) }),
    ...(field.description !== undefined && { description: field.description }),
    ...(!required.includes(key) && { disabled: true }),
  }))
  return { mode: 'formdata', formdata }
}

/** A script after the answer: it checks the status, and keeps the id of what was created. */
function scriptOf(operation: Operation, all: readonly Operation[]): object {
  const { id, method, path, success } = operation
  const record = `${path}/{id}`
  const creates = method === 'POST' && success.status !== 200 && all.some((one) => one.path === record)
  const [variable, place] = stored[id] ?? (creates ? [idNameOf(record, 'id'), 'id'] : [])
  const keeps =
    variable === undefined
      ? []
      : [
          `if (pm.response.code === ${success.status}) {`,
          `  const id = pm.response.json().${place}`,
          `  if (id) pm.collectionVariables.set('${variable}', id)`,
          '}',
        ]
  const exec = [assertionOf(operation), ...keeps]
  return { event: [{ listen: 'test', script: { type: 'text/javascript', exec } }] }
}

function assertionOf({ id, success }: Operation): string {
  const other = refusals[id] ?? []
  const names = [String(success.status), ...other.map(([status, reason]) => `${status} if ${reason}`)]
  const statuses = [success.status, ...other.map(([status]) => status)].join(', ')
  return `pm.test('${names.join(', or ')}', () => pm.expect(pm.response.code).to.be.oneOf([${statuses}]))`
}
