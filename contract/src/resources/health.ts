import { Type, type Static } from 'typebox'
import { oneOf, strictObject } from '../schema/common.ts'
import { ProblemField, ValuesField } from '../schema/named-problems.ts'

/** The response of `/healthz`: the process is running. */
export const Health = strictObject({ status: Type.Literal('ok', { type: 'string' }) })
export type Health = Static<typeof Health>

/**
 * `starting` until every part was up once; `degraded` while a part is down and the rest, above all
 * redirects, works.
 */
export const readinessStates = ['starting', 'ready', 'degraded'] as const

const ReadyPart = strictObject({
  ok: Type.Boolean(),
  detail: Type.Optional(Type.String({ description: 'What is wrong, or how the part is, in a sentence.' })),
  problem: Type.Optional(ProblemField),
  values: Type.Optional(ValuesField),
})

/** The response of `/readyz`: 503 while starting, 200 from then on. */
export const Readiness = strictObject(
  {
    status: oneOf(readinessStates, { description: 'State of the service as a whole.' }),
    parts: Type.Optional(
      Type.Unsafe<Record<string, Static<typeof ReadyPart>>>({
        type: 'object',
        additionalProperties: ReadyPart,
        description:
          'Every process and part by name. Only for callers with METRICS_TOKEN, or from loopback and private addresses without a proxy.',
      }),
    ),
  },
  {
    examples: [
      {
        status: 'degraded',
        parts: {
          catalogue: { ok: true },
          scanStore: {
            ok: false,
            detail: 'does not answer: scans wait in the journal, figures fail',
            problem: 'scanStoreSilent',
            values: {},
          },
        },
      },
    ],
  },
)
export type Readiness = Static<typeof Readiness>
