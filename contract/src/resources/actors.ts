import { Type, type Static } from 'typebox'
import { nullable, oneOf, strictObject } from '../schema/common.ts'

export const actorKinds = ['user', 'api-key', 'system'] as const

/**
 * Who made a change or a key: a member in the dashboard, an API key, or the service itself, which
 * includes its operator.
 */
export const Actor = strictObject({
  kind: oneOf(actorKinds, {
    description: 'A member, an API key, or the service itself, including its operator.',
  }),
  id: nullable(Type.String({ description: 'Identifier of the user or key; null for the service.' })),
  name: Type.String({ description: 'Name of the user or key at the time of the change.' }),
})
export type Actor = Static<typeof Actor>
