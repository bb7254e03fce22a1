import { problem } from '@everscan/contract/problems/problem.ts'
import type { FastifyInstance } from 'fastify'
import findMyWay from 'find-my-way'
import { ApiError } from '../../errors.ts'

/**
 * Answers 405 to methods that a path of this API does not have, with those that it has (RFC 9110,
 * 15.5.6): of endpoints, pages, files. Call it before any route is added.
 */
export function refuseOtherMethods(app: FastifyInstance): void {
  // Routes of their own for every other method would be three times as many, and take longer to add
  // than all else that an API is made of.
  const paths = findMyWay({ maxParamLength: 200 })
  const methodsOf = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    if (methodsOf.has(url)) return
    methodsOf.set(url, methods)
    paths.on('GET', url, () => undefined, methods)
  })
  // Also before routes that match: `GET /organizations/imports` is no organization's id.
  app.addHook('onRequest', async ({ method, url }) => {
    const methods = paths.find('GET', url)?.store as Set<string> | undefined
    if (methods === undefined || methods.has(method)) return
    const allow = [...methods].join(', ')
    const found = problem('methodNotAllowed', { allowed: allow, method })
    throw new ApiError(405, 'METHOD_NOT_ALLOWED', found, { headers: { allow } })
  })
}
