import { describeEndpoints, type OpenApiDocument } from './openapi-document.ts'
import { routes } from '../routes.ts'

/**
 * The OpenAPI document of this release: the server serves it, and `npm run generate` writes it to
 * docs/.
 */
export function openApiDocument(): OpenApiDocument {
  return describeEndpoints(routes)
}
