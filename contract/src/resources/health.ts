import { Type, type Static } from 'typebox'
import { oneOf, strictObject } from '../schema/common.ts'

/** The response of `/healthz`: the process is running. */
export const Health = strictObject({ status: Type.Literal('ok', { type: 'string' }) })
export type Health = Static<typeof Health>

/**
 * `starting` until every part was up once; `degraded` while a part is down and the rest, above all
 * redirects, works.
 */
export const readinessStates = ['starting', 'ready', 'degraded'] as const

/** The response of `/readyz`: 503 while starting, 200 from then on. */
export const Readiness = strictObject(
  {
    status: oneOf(readinessStates, { description: 'State of the service as a whole.' }),
    parts: Type.Optional(
      Type.Unsafe<Record<string, { ok: boolean; detail?: string }>>({
        type: 'object',
        additionalProperties: strictObject({ ok: Type.Boolean(), detail: Type.Optional(Type.String()) }),
        description:
          'Every process and part by name. Only for callers with METRICS_TOKEN, or from loopback and private addresses without a proxy.',
      }),
    ),
  },
  { examples: [{ status: 'degraded', parts: { catalogue: { ok: true }, scanStore: { ok: false } } }] },
)
export type Readiness = Static<typeof Readiness>
