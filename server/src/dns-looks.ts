import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { proofLabel, type DnsRecord } from '@everscan/contract/domains/domains.ts'

/**
 * Whether requests for a host name arrive at this installation. PLAIN: only over plain http, while
 * PUBLIC_URL has https. RENAMED: under another host name. ELSEWHERE: another server answers.
 * SILENT: none does.
 */
export type Reach = 'HERE' | 'PLAIN' | 'RENAMED' | 'ELSEWHERE' | 'SILENT'

/** The result of a look at a host name. */
export type DnsLook = {
  /** TXT records of the proof, and where the host leads. */
  found: readonly DnsRecord[]
  /** Why the proof could not be asked for; undefined: the DNS answered. */
  failure?: string | undefined
  /** Undefined: it could not be found out. */
  reach?: Reach | undefined
}

export type LookAtDns = (hostname: string) => Promise<DnsLook>

/** Returns the name of the TXT record that proves a host name. */
export function proofName(hostname: string): string {
  return `${proofLabel}.${hostname}`
}

/** Records of each kind that are kept; a TXT record has at most this many characters. */
const recordsMax = 10
const txtCharsMax = 255
const triesMax = 2

/** The answers that say that there is no such record. */
const noRecord = new Set(['ENODATA', 'ENOTFOUND'])

/**
 * Creates a function that asks these servers, or those of the system, for the proof of a host name
 * and where it leads. It takes at most about `timeoutMs` for each of two tries.
 */
export function createDnsLook(servers: readonly string[], timeoutMs = 3_000): LookAtDns {
  return async (hostname) => {
    const resolver = new Resolver({ timeout: timeoutMs, tries: triesMax, maxTimeout: timeoutMs })
    if (servers.length > 0) resolver.setServers([...servers])
    const name = proofName(hostname)
    const [txt, cname, v4, v6] = await Promise.all([
      ask(resolver.resolveTxt(name)),
      ask(resolver.resolveCname(hostname)),
      ask(resolver.resolve4(hostname)),
      ask(resolver.resolve6(hostname)),
    ])
    const leads = (type: string, values: readonly string[]): DnsRecord[] =>
      values.slice(0, recordsMax).map((value) => ({ type, name: hostname, value }))
    const proofs = txt.records.map((chunks) => chunks.join('').slice(0, txtCharsMax))
    return {
      found: [
        ...proofs.slice(0, recordsMax).map((value) => ({ type: 'TXT', name, value })),
        ...leads('CNAME', cname.records),
        ...leads('A', v4.records),
        ...leads('AAAA', v6.records),
      ],
      failure: txt.failure,
    }
  }
}

/** Returns the values of the TXT records of a name; none if there are none, or no answer. */
export type LookUpTxt = (name: string) => Promise<readonly string[]>

/** Creates a function that asks these servers, or those of the system, for TXT records. */
export function createTxtLook(servers: readonly string[], timeoutMs = 3_000): LookUpTxt {
  return async (name) => {
    const resolver = new Resolver({ timeout: timeoutMs, tries: triesMax, maxTimeout: timeoutMs })
    if (servers.length > 0) resolver.setServers([...servers])
    const { records } = await ask(resolver.resolveTxt(name))
    return records.slice(0, recordsMax).map((chunks) => chunks.join('').slice(0, txtCharsMax))
  }
}

type Asked<T> = { records: readonly T[]; failure?: string }

async function ask<T>(records: Promise<readonly T[]>): Promise<Asked<T>> {
  try {
    return { records: await records }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'EUNKNOWN'
    return noRecord.has(code) ? { records: [] } : { records: [], failure: code }
  }
}

/**
 * Returns the records that a domain needs besides its proof: where the host of `publicUrl` is.
 * Nothing for a host that no other name can lead to.
 */
export function hostRecords(hostname: string, publicUrl: string): DnsRecord[] {
  const target = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')
  const family = isIP(target)
  if (family !== 0) return [{ type: family === 4 ? 'A' : 'AAAA', name: hostname, value: target }]
  return target.includes('.') ? [{ type: 'CNAME', name: hostname, value: target }] : []
}
