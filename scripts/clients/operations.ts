// The operations of the OpenAPI document that programs with an API key use, as the generators of
// the Postman collection and of the n8n node read them.
import type { OpenApiDocument } from '../../server/src/api/openapi/openapi-document.ts'

export type Schema = {
  type?: string | readonly string[]
  description?: string
  enum?: readonly (string | null)[]
  const?: unknown
  default?: unknown
  examples?: readonly unknown[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: unknown
  minimum?: number
  maximum?: number
  format?: string
  pattern?: string
  contentMediaType?: string
  anyOf?: readonly Schema[]
  not?: unknown
  $ref?: string
}

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
  example?: unknown
}

export type Operation = {
  id: string
  method: string
  /** Like `/organizations/{orgId}/qr-codes/{id}`. */
  path: string
  tag: string
  summary: string
  description: string
  parameters: readonly Parameter[]
  body?: { mediaType: string; schema: Schema; example?: unknown; required: boolean }
  /** Status and media types of the success. */
  success: { status: number; mediaTypes: readonly string[]; schema: Schema | undefined }
}

type Written = {
  operationId: string
  summary: string
  description: string
  tags: readonly [string]
  security?: readonly Readonly<Record<string, unknown>>[]
  parameters?: readonly Parameter[]
  requestBody?: {
    required: boolean
    content: Readonly<Record<string, { schema: Schema; example?: unknown }>>
  }
  responses: Readonly<Record<string, { content?: Readonly<Record<string, { schema?: Schema }>> }>>
}

/**
 * Returns the operations that accept an API key, in the order of the document. The stream of events
 * is not among them: its answer never ends.
 */
export function keyOperations({ paths }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const written = operation as unknown as Written
      const accepts = written.security?.some((one) => 'apiKey' in one) === true
      return accepts && written.operationId !== 'streamEvents' ? [operationOf(path, method, written)] : []
    }),
  )
}

/** Fields that programs send, although the interface lets others take their place. */
const needed: Readonly<Record<string, readonly string[]>> = {
  batchReadQrCodes: ['ids'],
  batchUpdateQrCodes: ['ids', 'updates'],
  startArchiveImport: ['organizationId', 'file'],
}

function operationOf(path: string, method: string, written: Written): Operation {
  const { operationId: id, summary, description, tags, parameters = [], requestBody, responses } = written
  const [media] = Object.entries(requestBody?.content ?? {})
  const [status = '', success] = Object.entries(responses).findLast(([one]) => one.startsWith('2')) ?? []
  const content = success?.content ?? {}
  return {
    id,
    method: method.toUpperCase(),
    path,
    tag: tags[0],
    summary,
    description,
    parameters: parameters.map((one) =>
      needed[id]?.includes(one.name) === true ? { ...one, required: true } : one,
    ),
    ...(media === undefined
      ? {}
      : {
          body: {
            mediaType: media[0],
            ...media[1],
            schema: { ...media[1].schema, ...(needed[id] !== undefined && { required: needed[id] }) },
            required: requestBody?.required ?? false,
          },
        }),
    success: {
      status: Number(status),
      mediaTypes: Object.keys(content),
      schema: content['application/json']?.schema,
    },
  }
}

const idNames: Readonly<Record<string, string>> = {
  organizations: 'organizationId',
  'qr-codes': 'qrCodeId',
  bin: 'qrCodeId',
  checks: 'checkId',
  folders: 'folderId',
  styles: 'styleId',
  'utm-templates': 'utmTemplateId',
  domains: 'domainId',
  'bulk-import': 'importId',
  imports: 'archiveImportId',
  moves: 'moveId',
  'api-keys': 'apiKeyId',
  members: 'memberId',
  invitations: 'invitationId',
  views: 'viewId',
  'shared-views': 'shareToken',
  mails: 'mailingOrganizationId',
  webhooks: 'webhookId',
  deliveries: 'deliveryId',
}

/** Returns a name for a parameter of a path by the word before it: `qr-codes/{id}` → `qrCodeId`. */
export function idNameOf(path: string, parameter: string): string {
  const words = path.split('/')
  const name = idNames[words[words.indexOf(`{${parameter}}`) - 1] ?? '']
  if (name === undefined)
    throw new Error(`${path}: name the ids of {${parameter}} in scripts/clients/operations.ts`)
  return name
}
