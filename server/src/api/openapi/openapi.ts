import { describeEndpoints, type OpenApiDocument } from './openapi-document.ts'
import type { Endpoint } from '@everscan/contract/endpoints/endpoint.ts'
import { endpoints } from '@everscan/contract/endpoints/endpoints.ts'

/**
 * The OpenAPI document of this release: the server serves it, and `npm run generate` writes it to
 * docs/.
 */
export function openApiDocument(): OpenApiDocument {
  return describeEndpoints(Object.values(endpoints).flatMap((ofNoun) => Object.values<Endpoint>(ofNoun)))
}
