import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export type Operation = {
  id: string
  method: string
  path: string
  /** The example of its JSON body; undefined: it takes none. */
  example: unknown
  /** Whether a key can ask for it: some things only a signed-in person may do. */
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

/** Every operation of the OpenAPI document that is in the repository. */
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

/** Those inside an organization that keys can ask for, with their path below it; ids are ones that nothing has. */
export function organizationOperations(): Operation[] {
  const prefix = '/organizations/{orgId}'
  return documentedOperations()
    .filter(({ path, takesKey }) => takesKey && path.startsWith(prefix))
    .map((one) => ({
      ...one,
      path: one.path.slice(prefix.length).replaceAll(/\{(id|deliveryId)\}/g, 'qr_nowhere'),
    }))
}
