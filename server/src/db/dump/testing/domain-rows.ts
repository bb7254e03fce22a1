/**
 * A domain that is proved, one that is not, and a host name that outlived its domain; certificates,
 * and an account at an authority.
 */
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
        codes: 'exact',
        reach: 'HERE',
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
        codes: 'canonical',
        reach: null,
      },
    ],
    domain_hosts: [
      { hostname: host('go'), proved_at_ms: at, codes: 'exact' },
      { hostname: host('wait'), proved_at_ms: null, codes: null },
      { hostname: host('old'), proved_at_ms: at, codes: 'canonical' },
    ],
    certificates: [
      {
        hostname: host('go'),
        chain: text,
        private_key: text,
        valid_from_ms: at,
        expires_at_ms: at,
        attempts: 0,
        next_order_at_ms: at,
        leased_until_ms: null,
        problem: null,
        told_days: null,
      },
      {
        hostname: host('old'),
        chain: null,
        private_key: null,
        valid_from_ms: null,
        expires_at_ms: null,
        attempts: 3,
        next_order_at_ms: at,
        leased_until_ms: at,
        problem: text,
        told_days: 14,
      },
    ],
    acme_accounts: [
      {
        directory_url: `https://${host('ca')}/directory`,
        account_url: text,
        private_key: text,
        paused_until_ms: at,
      },
    ],
    acme_challenges: [{ token: host('token'), answer: text, created_at_ms: at }],
  }
}
