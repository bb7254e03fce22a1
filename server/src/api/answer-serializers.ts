import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { FastifySchemaCompiler } from 'fastify'

type Serialize = (answer: unknown) => string

const build = SerializerSelector()({}, {}) as unknown as (route: { schema: object }) => Serialize
const built = new WeakMap<object, Serialize>()

/**
 * Builds the serializer of an answer when the first one is sent, and once for all instances:
 * Fastify builds those of all endpoints at the start, which takes longer than the rest of it.
 */
export const answerSerializers = (({ schema }: { schema: object }) => {
  let serialize: Serialize | undefined
  return (answer: unknown): string => {
    serialize ??= built.get(schema) ?? build({ schema })
    built.set(schema, serialize)
    return serialize(answer)
  }
}) satisfies (route: Parameters<FastifySchemaCompiler<object>>[0]) => Serialize
