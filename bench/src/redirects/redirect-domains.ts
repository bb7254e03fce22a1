import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Service } from '@everscan/server/test/support/service.ts'
import { median } from '../figures.ts'
import {
  measureInTurn,
  mediansOf,
  ratiosOf,
  withPinnedServers,
  type Round,
  type Target,
} from '../load/pinned-servers.ts'
import { phoneHeads } from '../load/run-load.ts'

const domains = 1_000

/**
 * Measures redirects of a service with 1,000 domains, over plain http, on the same core as a bare
 * `node:http` server: `ofDomains` are codes of all domains in turn, each with its own `Host`, and
 * `ofPublicUrl` codes on no domain. `before` are the latter, before there was any domain. Ratios
 * are to the bare server; `ratio` is that of codes on domains to codes on none, in the same rounds.
 */
export async function benchRedirectDomains({ quick }: { quick: boolean }): Promise<object> {
  const rounds = quick ? 5 : 25
  const seconds = quick ? 1 : 2
  return withPinnedServers({}, async ({ service, front, bare, measure, pinned }) => {
    const publicPaths = await createCodes(
      service,
      Array.from({ length: domains }, () => null),
    )
    const sides: Record<Side, Target> = {
      baseline: { ...bare, paths: publicPaths },
      ofPublicUrl: { ...front, paths: publicPaths },
      ofDomains: { ...front, paths: [] },
    }
    const measureSides = async <S extends Side>(
      count: number,
      names: readonly S[],
    ): Promise<Record<S, Round>[]> => {
      for (const side of names) await measure(sides[side], 1)
      const all = []
      for (let round = 1; round <= count; round++)
        all.push(await measureInTurn(round, names, (side) => measure(sides[side], seconds)))
      return all
    }
    const before = await measureSides(Math.ceil(rounds / 2), ['baseline', 'ofPublicUrl'])
    const hostnames = Array.from({ length: domains }, (_, index) => `go${index}.example.com`)
    const ids = await addDomains(service, hostnames)
    const paths = await createCodes(service, ids)
    const heads = hostnames.map((hostname, index) =>
      (phoneHeads[index % phoneHeads.length] ?? '').replace('Host: localhost:3000', `Host: ${hostname}`),
    )
    sides.ofDomains = { ...front, paths, heads }
    const all = await measureSides(rounds, ['baseline', 'ofPublicUrl', 'ofDomains'])
    const names = ['ratio', 'p99Ratio', 'cpuRatio'] as const
    const errors = [...before, ...all].flatMap((of) => Object.values<Round>(of).map((round) => round.errors))
    return {
      ...mediansOf(
        all.map(({ ofDomains, ofPublicUrl }) => ratiosOf(ofDomains, ofPublicUrl)),
        names,
      ),
      ofDomains: mediansOf(
        all.map(({ ofDomains, baseline }) => ratiosOf(ofDomains, baseline)),
        names,
      ),
      ofPublicUrl: mediansOf(
        all.map(({ ofPublicUrl, baseline }) => ratiosOf(ofPublicUrl, baseline)),
        names,
      ),
      before: mediansOf(
        before.map(({ ofPublicUrl, baseline }) => ratiosOf(ofPublicUrl, baseline)),
        names,
      ),
      requestsPerSecond: Math.round(median(all.map(({ ofDomains }) => ofDomains.requestsPerSecond))),
      errors: errors.reduce((sum, one) => sum + one, 0),
      domains,
      rounds,
      pinned,
    }
  })
}

type Side = 'baseline' | 'ofPublicUrl' | 'ofDomains'

/** Creates a code for each of the domains; null: on none. Returns their paths. */
async function createCodes(service: Service, domainIds: readonly (string | null)[]): Promise<string[]> {
  const client = service.client()
  const [organization] = await client.organizations.listMine()
  if (organization === undefined) throw new Error('the service has no organization')
  const { data } = await client.batches.create(
    organization.id,
    domainIds.map((domainId, index) => ({
      type: 'URL',
      name: `Bench ${index}`,
      data: { url: 'https://example.com/menu' },
      domainId,
    })),
  )
  return data.map((code) => `/${code.shortCode}`)
}

/**
 * Adds proved domains to the catalogue itself, because an organization may have fewer by the API.
 * Fronts read all hosts again. Returns their ids.
 */
async function addDomains(service: Service, hostnames: readonly string[]): Promise<string[]> {
  const [organization] = await service.client().organizations.listMine()
  const catalogue = new DatabaseSync(join(service.dataDir, 'catalogue.sqlite'))
  try {
    catalogue.exec('pragma busy_timeout = 5000; begin immediate')
    const host = catalogue.prepare('insert into domain_hosts (hostname, proved_at_ms) values (?, 1)')
    const domain = catalogue.prepare(
      `insert into domains (
        organization_id, id, hostname, status, proof, is_default, proved_at_ms, checked_at_ms, created_at_ms,
        updated_at_ms
      ) values (?, ?, ?, 'ACTIVE', ?, 0, ?, ?, 1, 1)`,
    )
    // Not looked at during the bench.
    const nowMs = Date.now()
    const ids = hostnames.map((hostname, index) => {
      const id = `dom_${String(index).padStart(26, '0')}`
      host.run(hostname)
      domain.run(organization?.id ?? '', id, hostname, `everscan=${index}`, nowMs, nowMs)
      return id
    })
    catalogue.exec(
      `insert into changes (canonical_code, version)
      values ('*', (select coalesce(max(version), 0) + 1 from changes))
      on conflict (canonical_code) do update set version = excluded.version;
      commit`,
    )
    return ids
  } finally {
    catalogue.close()
  }
}
