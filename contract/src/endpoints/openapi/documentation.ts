import { endpoint } from '../endpoint.ts'

export const documentation = {
  read: endpoint({
    id: 'readOpenApi',
    call: 'byHand',
    method: 'GET',
    path: '/openapi.json',
    role: 'public',
    tag: 'Documentation',
    summary: 'Read this document.',
    status: 200,
    produces: ['application/json'],
  }),
}
