import { problem } from '../problems/local-problem.ts'
import type { Problem } from '../problems/problem.ts'
import { limits } from '../schema/limits.ts'

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * Returns a host name as it is compared: punycode in lower case, without port and trailing dot.
 * Undefined for any other text. An IPv6 literal keeps its brackets.
 *
 * @example normalHostname('Bücher.Example.:8080') // 'xn--bcher-kva.example'
 */
export function normalHostname(text: string): string | undefined {
  if (text === '' || text.length > 2 * limits.hostnameCharsMax || /[\s/?#@\\]/.test(text)) return undefined
  const url = `http://${text}/`
  if (!URL.canParse(url)) return undefined
  const name = new URL(url).hostname
  return name.endsWith('.') ? name.slice(0, -1) : name
}

/**
 * Returns why a host name, as `normalHostname` returns it, cannot be a domain, or undefined if it
 * can.
 */
export function hostnameProblem(hostname: string | undefined): Problem | undefined {
  if (hostname === undefined) return problem('notHostname')
  if (hostname.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(hostname)) return problem('hostnameIsAddress')
  const labels = hostname.split('.')
  if (labels.length < 2) return problem('hostnameWithoutDot')
  if (hostname.length > limits.hostnameCharsMax)
    return problem('longerThan', { max: limits.hostnameCharsMax })
  if (labels.every((part) => label.test(part))) return undefined
  return problem('hostnameForm')
}
