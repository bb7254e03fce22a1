import { Type, type Static } from 'typebox'
import { nullable, oneOf, strictObject } from '../schema/common.ts'

export const actorKinds = ['user', 'api-key', 'system'] as const

/** Who did something: a member in the dashboard, a key, or the service itself and whoever operates it. */
export const Actor = strictObject({
  kind: oneOf(actorKinds, { description: 'A member, a key, or the service itself and its operator.' }),
  id: nullable(Type.String({ description: 'Identifier of the user or key; null for the service.' })),
  name: Type.String({ description: 'Name of the user or key at that time.' }),
})
export type Actor = Static<typeof Actor>
