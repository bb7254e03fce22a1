import type { FastifyInstance, HTTPMethods } from 'fastify'
import { ApiError } from '../../errors.ts'

const allMethods: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * Takes down the methods of every route that is added from now on. Returns a function that adds a
 * 405 for all others, with those that the path has (RFC 9110, 15.5.6): of endpoints, pages, files.
 */
export function noteMethods(app: FastifyInstance): () => void {
  const methodsOf = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    methodsOf.set(url, methods)
  })
  return () => {
    // A copy, because each refusal is a route as well.
    for (const [url, methods] of [...methodsOf].map(([path, own]) => [path, new Set(own)] as const))
      addRefusal(app, url, methods)
  }
}

function addRefusal(app: FastifyInstance, url: string, methods: ReadonlySet<string>): void {
  const allow = [...methods].join(', ')
  app.route({
    method: allMethods.filter((method) => !methods.has(method)),
    url,
    onRequest: ({ method }) => {
      const message = `This endpoint accepts ${allow}, not ${method}.`
      throw new ApiError(405, 'METHOD_NOT_ALLOWED', message, { headers: { allow } })
    },
    handler: () => undefined,
  })
}
