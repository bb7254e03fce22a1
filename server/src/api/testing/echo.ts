import { Type } from 'typebox'
import { endpoint } from '../http/endpoint.ts'

const strict = { additionalProperties: false }

/** A public endpoint that returns its body. */
export const echo = endpoint({
  id: 'echo',
  method: 'POST',
  path: '/echo',
  role: 'public',
  tag: 'Documentation',
  summary: 'Returns the body.',
  body: Type.Object({ text: Type.String() }, strict),
  status: 201,
  response: Type.Object({ text: Type.String() }, strict),
  handle: (_context, _caller, { body }) => body,
})
