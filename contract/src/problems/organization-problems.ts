/** Problems of organizations, their members, keys and domains. */
export const organizationProblems = {
  scopeNotOfKey: 'must be a scope of the key of this request, which has {scopes}, got "{got}"',
  networkNotOfKey: 'must lie within a network of the key of this request, which has {networks}, got "{got}"',
  expiresAfterKey: 'must be at most {max}, when the key of this request expires, got "{got}"',
  notKeyNetwork:
    'must be an IP address or a network in CIDR notation, such as 203.0.113.7, 10.0.0.0/8 or 2001:db8::/32',
  notFirstAddress: 'must begin with the first address of the network, as in {network}',
  noSuchFolder: 'must be a folder of this organization, got "{got}"',
  codesWaitForDomain:
    '{count} QR codes wait for this domain. Prove it, or delete it and them with ?codes=archive.',
  noSuchDomain: 'must be a domain of this organization that is proved, got "{got}"',
  noSuchDay: 'must be a day and time that exist, got "{got}"',
  notInFuture: 'must be in the future, got "{got}"',
} as const
