import { destinationsOf, qrCodeDataProblems } from '@everscan/contract/code-types/qr-code-data-problems.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { problem, type FieldProblem, type Problem } from '@everscan/contract/problems/problem.ts'

/**
 * Returns every problem in the content of a code: problems of its type or, if there are none,
 * destinations that lead back here. `path` is that of the content in the request.
 */
export function contentProblems(
  type: QrCodeType,
  data: Record<string, unknown>,
  publicUrl: string,
  path = 'data',
): readonly FieldProblem[] {
  const problems = qrCodeDataProblems(type, data, path)
  if (problems.length > 0) return problems
  return destinationsOf(type, data, path).flatMap((found) => {
    const back = backProblem(found.url, publicUrl)
    return back === undefined ? [] : [{ path: found.path, ...back }]
  })
}

/** Returns the problem of an address that leads back to this service, or undefined. */
export function backProblem(url: string, publicUrl: string): Problem | undefined {
  return leadsTo(url, publicUrl) ? problem('leadsBackHere', { publicUrl }) : undefined
}

/**
 * Whether an address is below the public URL, in either scheme. A code that leads to a code may
 * lead to itself.
 */
export function leadsTo(address: string, publicUrl: string): boolean {
  const [to, own] = [new URL(address), new URL(publicUrl)]
  const prefix = own.pathname.replace(/\/$/, '')
  return placeOf(to) === placeOf(own) && (to.pathname === prefix || to.pathname.startsWith(`${prefix}/`))
}

/**
 * Returns host and port as one text, without the trailing dot of a fully qualified name and with
 * the default ports of both schemes as one.
 */
function placeOf({ hostname, port }: URL): string {
  return `${hostname.replace(/\.$/, '')}:${port === '80' || port === '443' ? '' : port}`
}
