import assert from 'node:assert/strict'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Zone } from '../../src/api/testing/dns-server.ts'
import { newVisitor } from './load.ts'
import type { Service } from './service.ts'

const shortCode = 'TABLE'
const hostnames = ['go.example.com', 'qr.example.com'] as const
const destinationOf = (host: string) => `https://example.com/${host}`

/** Time between two rounds: enough rounds meet every restart. */
const roundMs = 20

export type HostProbes = {
  /** The number of scans so far that were answered with a redirect. */
  answered: () => number
  /** Stops, and returns the number of scans that were answered with a redirect. */
  stop: () => Promise<number>
}

/**
 * Creates codes with the same short code on two proved domains and on PUBLIC_URL, and scans each of
 * them again and again until `stop`. `zone` is that of the service's DNS server. While processes
 * are down, a scan may fail or be answered with 503. `stop` throws if a host ever answered anything
 * but its own code.
 */
export async function startHostProbes(service: Service, orgId: string, zone: Zone): Promise<HostProbes> {
  const { domains, qrCodes } = service.client()
  const made = await Promise.all(hostnames.map((hostname) => domains.create(orgId, { hostname })))
  for (const { id, verification } of made) {
    zone[verification.name] = { TXT: [verification.value] }
    assert.equal((await domains.check(orgId, id)).status, 'ACTIVE')
  }
  const publicHost = new URL(service.baseUrl).host
  const hosts = [...made.map(({ id, hostname }) => ({ id, hostname })), { id: null, hostname: publicHost }]
  for (const { id, hostname } of hosts) {
    const data = { url: destinationOf(hostname) }
    await qrCodes.create(orgId, { type: 'URL', name: hostname, data, shortCode, domainId: id })
  }
  const wrong: string[] = []
  let right = 0
  const stopping = new AbortController()
  const probe = async (host: string): Promise<void> => {
    const answer = await ask(service.port, host)
    if (answer === undefined || answer.status === 503) return
    if (answer.status === 302 && answer.location === destinationOf(host)) right++
    else wrong.push(`${host}: ${answer.status} ${answer.location ?? ''}`)
  }
  const running = (async () => {
    while (!stopping.signal.aborted) {
      for (const { hostname } of hosts) await probe(hostname)
      await sleep(roundMs)
    }
  })()
  return {
    answered: () => right,
    stop: async () => {
      stopping.abort()
      await running
      assert.deepEqual([...new Set(wrong)], [], 'each host answers its own code')
      return right
    },
  }
}

/** Scans the code of a host. Undefined: no answer. */
function ask(port: number, host: string): Promise<{ status: number; location?: string } | undefined> {
  return new Promise((resolve) => {
    const options = {
      port,
      host: '127.0.0.1',
      path: `/${shortCode}`,
      headers: { ...newVisitor(), host },
      agent: false,
    }
    const asked = request(options, (response) => {
      response.resume()
      const { location } = response.headers
      resolve({ status: response.statusCode ?? 0, ...(location !== undefined && { location }) })
    })
    asked.on('error', () => resolve(undefined))
    asked.setTimeout(10_000, () => asked.destroy())
    asked.end()
  })
}
