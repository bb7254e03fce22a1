/** A domain that is proved, one that is not, and a host name that outlived its domain. */
export function domainRows(organization: string | undefined, { text, at }: { text: string; at: number }) {
  const host = (label: string) => `${label}.${organization?.replaceAll('_', '-') ?? 'none'}.example.com`
  const common = {
    organization_id: organization,
    not_found_url: null,
    gone_url: text,
    checked_at_ms: at,
    dns_found: JSON.stringify([{ type: 'TXT', name: text, value: text }]),
    created_at_ms: at,
    updated_at_ms: at,
  }
  return {
    domains: [
      {
        ...common,
        id: 'dom_go',
        hostname: host('go'),
        status: 'ACTIVE',
        proof: 'everscan=go',
        root_url: text,
        is_default: 1,
        proved_at_ms: at,
        dns_problem: null,
      },
      {
        ...common,
        id: 'dom_wait',
        hostname: host('wait'),
        status: 'PENDING',
        proof: 'everscan=wait',
        root_url: null,
        is_default: 0,
        proved_at_ms: null,
        dns_problem: text,
      },
    ],
    domain_hosts: [
      { hostname: host('go'), proved_at_ms: at },
      { hostname: host('wait'), proved_at_ms: null },
      { hostname: host('old'), proved_at_ms: at },
    ],
  }
}
