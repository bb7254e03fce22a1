import { Type, type Static } from 'typebox'
import { strictObject } from './common.ts'

/** The answer of `/healthz`: the process lives. */
export const Health = strictObject({ status: Type.Literal('ok', { type: 'string' }) })
export type Health = Static<typeof Health>

/** The answer of `/readyz`: 200 when every part is ready, 503 otherwise. */
export const Readiness = strictObject(
  {
    ready: Type.Boolean(),
    parts: Type.Unsafe<Record<string, { ready: boolean; message?: string }>>({
      type: 'object',
      additionalProperties: strictObject({ ready: Type.Boolean(), message: Type.Optional(Type.String()) }),
      description: 'Each part by name.',
    }),
  },
  { examples: [{ ready: false, parts: { catalogue: { ready: true }, scanStore: { ready: false } } }] },
)
export type Readiness = Static<typeof Readiness>
