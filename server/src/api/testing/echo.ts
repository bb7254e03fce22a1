import { endpoint } from '@everscan/contract/endpoints/endpoint.ts'
import { Type } from 'typebox'
import { routeOf } from '../http/handler.ts'

const strict = { additionalProperties: false }

/** A public endpoint that returns its body. */
export const echo = routeOf(
  endpoint({
    id: 'echo',
    method: 'POST',
    path: '/echo',
    role: 'public',
    tag: 'Documentation',
    summary: 'Returns the body.',
    body: Type.Object({ text: Type.String() }, strict),
    status: 201,
    response: Type.Object({ text: Type.String() }, strict),
  }),
  {
    handle: (_context, _caller, { body }) => body,
  },
)
