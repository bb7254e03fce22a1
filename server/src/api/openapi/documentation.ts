import { Answer, endpoint } from '../http/endpoint.ts'

/** The document is made from the table in which this endpoint stands, so it is handed in when the table is complete. */
export function openApiEndpoint(document: () => unknown) {
  let text: string | undefined
  return endpoint({
    id: 'readOpenApi',
    method: 'GET',
    path: '/openapi.json',
    role: 'public',
    tag: 'Documentation',
    summary: 'This document.',
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
