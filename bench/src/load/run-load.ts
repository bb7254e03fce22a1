import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pinToCore, raisePriority } from './cores.ts'
import type { LoadOrder, LoadResult } from './load.ts'
import { phoneUserAgents } from './phone-user-agents.ts'

type Placement = {
  /** The core for the generator alone. */
  core?: number
  /** Gives the generator priority, so that it waits only for the server. */
  first?: boolean
}

/** Runs the load generator in a separate process. */
export async function runLoad(
  order: LoadOrder,
  { core, first = false }: Placement = {},
): Promise<LoadResult> {
  const child = fork(join(import.meta.dirname, 'load.ts'), { stdio: 'inherit' })
  if (core !== undefined) pinToCore(child.pid ?? 0, core)
  if (first) raisePriority(child.pid ?? 0)
  child.send(order)
  const [result] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('the load generator failed'))),
  ])) as [LoadResult]
  return result
}

/** The start and end of a redirect response. */
export const redirects = { expect: 'HTTP/1.1 302 ', expectEnd: '\r\n\r\n' } as const

/** Headers of phones that open a link from the camera. */
export const phoneHeads: string[] = phoneUserAgents.map((userAgent) =>
  [
    'Host: localhost:3000',
    'Connection: keep-alive',
    'Upgrade-Insecure-Requests: 1',
    `User-Agent: ${userAgent}`,
    'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'Sec-Fetch-Site: none',
    'Sec-Fetch-Mode: navigate',
    'Sec-Fetch-Dest: document',
    'Accept-Encoding: gzip, deflate, br',
    'Accept-Language: de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7',
    '\r\n',
  ].join('\r\n'),
)
