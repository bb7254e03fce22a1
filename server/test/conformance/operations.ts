import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Operation = {
  id: string
  method: string
  path: string
  /** The example of the JSON body; undefined if the operation has no body. */
  example: unknown
  /** Whether an API key may use it: some operations require a signed-in user. */
  takesKey: boolean
}

type Document = {
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string
        security: readonly Record<string, unknown>[]
        requestBody?: { content: Record<string, { example?: unknown }> }
      }
    >
  >
}

/** Every operation of the OpenAPI document in the repository. */
export function documentedOperations(): Operation[] {
  const path = join(import.meta.dirname, '..', '..', '..', 'docs', 'openapi.json')
  const document = JSON.parse(readFileSync(path, 'utf8')) as Document
  return Object.entries(document.paths).flatMap(([path_, methods]) =>
    Object.entries(methods).map(([method, { operationId, security, requestBody }]) => ({
      id: operationId,
      method: method.toUpperCase(),
      path: path_,
      example: requestBody?.content['application/json']?.example,
      takesKey: security.some((scheme) => 'apiKey' in scheme),
    })),
  )
}

/**
 * The operations in an organization that keys may use, with their path below it; their ids do not
 * exist.
 */
export function organizationOperations(): Operation[] {
  const prefix = '/organizations/{orgId}'
  return documentedOperations()
    .filter(({ path, takesKey }) => takesKey && path.startsWith(prefix))
    .map((one) => ({
      ...one,
      path: one.path.slice(prefix.length).replaceAll(/\{(id|deliveryId)\}/g, 'qr_nowhere'),
    }))
}
