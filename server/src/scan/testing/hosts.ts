import { Hosts, type Host } from '../hosts/hosts.ts'

/** Returns the hosts of an installation at qr.example.com with these domains. */
export function someHosts(
  domains: readonly (Partial<Host> & { hostname: string })[] = [],
  options: { isStrict?: boolean } = {},
): Hosts {
  const none = {
    owners: new Set(['org_1']),
    ends: new Map(),
    codes: 'canonical',
    rootUrl: null,
    notFoundUrl: null,
    goneUrl: null,
  } as const
  const rows = domains.map((domain) => ({ ...none, ...domain }))
  const read = (hostname: string) => rows.find((row) => row.hostname === hostname)
  const hosts = new Hosts({
    lookup: { read, readAll: () => rows },
    publicHost: 'qr.example.com',
    ...options,
  })
  void hosts.refresh([])
  return hosts
}
