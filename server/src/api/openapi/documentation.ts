import { Answer, endpoint } from '../http/endpoint.ts'

/**
 * The document is generated from the route table that contains this endpoint, so it is passed in as
 * a function and generated when the table is complete.
 */
export function openApiEndpoint(document: () => unknown) {
  let text: string | undefined
  return endpoint({
    id: 'readOpenApi',
    method: 'GET',
    path: '/openapi.json',
    role: 'public',
    tag: 'Documentation',
    summary: 'Read this document.',
    status: 200,
    produces: ['application/json'],
    handle: () => {
      text ??= JSON.stringify(document())
      return new Answer(text, {
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'public, max-age=300',
      })
    },
  })
}
