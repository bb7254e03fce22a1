import { describeEndpoints, type OpenApiDocument } from './openapi-document.ts'
import { routes } from '../routes.ts'

/** The OpenAPI document of this release: what the server serves, and what `npm run generate` writes to docs/. */
export function openApiDocument(): OpenApiDocument {
  return describeEndpoints(routes)
}
