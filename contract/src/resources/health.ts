import { Type, type Static } from 'typebox'
import { oneOf, strictObject } from '../schema/common.ts'

/** The answer of `/healthz`: the process lives. */
export const Health = strictObject({ status: Type.Literal('ok', { type: 'string' }) })
export type Health = Static<typeof Health>

/** `starting` until all parts were up once; `degraded` while one is down and the rest, redirects above all, goes on. */
export const readinessStates = ['starting', 'ready', 'degraded'] as const

/** The answer of `/readyz`: 503 while starting, 200 from then on. */
export const Readiness = strictObject(
  {
    status: oneOf(readinessStates, { description: 'How the service is as a whole.' }),
    parts: Type.Optional(
      Type.Unsafe<Record<string, { ok: boolean; detail?: string }>>({
        type: 'object',
        additionalProperties: strictObject({ ok: Type.Boolean(), detail: Type.Optional(Type.String()) }),
        description:
          'Each process and each part by name. Only for callers with METRICS_TOKEN, or from loopback and private addresses without a proxy.',
      }),
    ),
  },
  { examples: [{ status: 'degraded', parts: { catalogue: { ok: true }, scanStore: { ok: false } } }] },
)
export type Readiness = Static<typeof Readiness>
