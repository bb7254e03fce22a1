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

  scopeMissing: 'This requires the scope {scope}; the API key has {scopes}.',
  scopeOfEventMissing: 'The event {event} requires the scope {scope}; the API key has {scopes}.',

  domainHere: 'the organization has the domain "{hostname}" already',
  /** `form` is how codes on the domain are compared. */
  codesComparedOtherwise: 'short codes were created on "{hostname}", which stay {form}',
  domainHasCodes: ({ count }: { count: number }) =>
    `${count === 1 ? 'One active QR code is' : `${count} active QR codes are`} on this domain. Archive them first, or delete the domain with ?codes=archive.`,
  noticeOfUnproved: '"{hostname}" is not proved. Only the organization that has it can give notice.',
  noticeToNobody: 'No other organization has codes on this host name from before.',
  noNotice: 'There is no notice that could be withdrawn.',
  /** `day` is an ISO 8601 date. */
  domainOnNotice:
    '"{hostname}" belongs to another organization now, which gave notice: codes on it end on {day}, and can only be archived or deleted.',
} as const
