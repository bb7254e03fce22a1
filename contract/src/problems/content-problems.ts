/** Problems of the content, access, rules and short code of a code. */
export const contentProblems = {
  longerThan: 'must have at most {max} characters',
  blank: 'must not be blank',
  requiredWith: 'is required with {field}',
  noSuchTime: 'must be a time that exists, got "{got}"',

  urlWithSpaces: 'must not contain spaces or control characters (a space is written %20)',
  urlWithBackslash: 'must not contain a backslash',
  notHttp: 'must begin with http:// or https://',
  notHttps: 'must begin with https://',
  hostIsPrivate: 'must lead to a public address, and "{hostname}" is private',
  leadsBackHere: 'must not lead back to this service ({publicUrl})',
  leadsBackToDomain: 'must not lead to the domain itself',
  isThisInstallation: 'is the address of this installation',
  urlWithoutHost: 'must name a host',
  urlWithCredentials: 'must not contain a user name or password',
  notUrl: 'must be a valid URL',
  urlWithNumber:
    'must name a host, or write an address as four decimal numbers: browsers would go to {address}',
  urlTooLongEncoded: 'must have at most {max} characters once percent-encoded',

  ssidTooLong: 'must have at most {max} bytes in UTF-8, got {got}',
  passwordOfOpenNetwork: 'must be left out for a network without a password (nopass)',
  wpaPasswordMissing: 'is required for WPA; a network without a password is nopass',
  wpaPasswordLength: 'must have 8 to 63 characters for WPA, or 64 hexadecimal digits, got {got}',
  noLink: 'must have one link at least',
  appWithoutUrl: 'must have one at least of "iosUrl", "androidUrl" and "fallbackUrl"',
  menuWithBoth: 'must have either "url" or "title" with "sections", not both',
  menuWithNeither: 'must have "url", or "title" with "sections"',
  menuWithoutTitle: 'is required with "sections"',
  menuWithoutSections: 'is required with "title"',
  menuLanguageTwice: 'must not repeat "{language}"',
  menuLanguageUnknown: 'must be one of "languages" after the first, got "{language}"',

  shortCodeOfEveryHost: 'must not be a path that every host answers',
  shortCodeReserved: 'must not be a reserved word',
  shortCodeTaken: '"{shortCode}" is taken, choose another',

  notHostname: 'must be a host name, such as go.example.com',
  hostnameIsAddress: 'must be a host name, not an IP address',
  hostnameWithoutDot: 'must have a dot: a name such as go.example.com',
  hostnameOfPublicUrl: 'must not be the host of PUBLIC_URL',
  hostnameOfOneNetwork:
    'must be a name that the internet knows; PRIVATE_DOMAINS=true allows .internal, .local and .lan',
  hostnameIsSuffix: 'must be a name below a public suffix: nobody has a whole suffix',
  notPunycode: 'must be in lower case and punycode',
  hostnameForm: 'must consist of letters, digits and "-" between dots',

  endsBeforeItStarts: 'must be later than startsAt, {startsAt}, got {endsAt}',
  endsAtNotLater: 'must be later than startsAt',
  closedUrlOrMessage: 'must have either url or message',

  ruleIdTwice: 'must not be that of another rule',
  noSuchRuleId: 'is not the id of a rule of this code; leave it out',
  armNameTwice: 'must not be that of another arm',
  rulesTooLong: 'must have at most {max} characters as JSON, got {got}',
  dataOrSplit: 'must have either data or split',
  noSuchCountry: 'must be an ISO 3166-1 country code, got "{got}"',
  noSuchRegion: 'must be an ISO 3166-2 code, like "DE-BY", got "{got}"',
  noSuchLanguage: 'must be a BCP 47 language tag, got "{got}"',
  noSuchOs: 'must be an operating system as analytics name it, like "iOS", got "{got}"',
  noSuchBrowser: 'must be a browser as analytics name it, like "Safari", got "{got}"',
  noSuchNetwork: 'must be a network in CIDR notation, like "203.0.113.0/24", got "{got}"',
  noSuchTimeZone: 'must be an IANA time zone, like "Europe/Berlin", got "{got}"',
  fromEqualsTo: 'must differ from from',
  timeZoneMissing: 'is required with days, from and to',

  labelsBeyondPage:
    'must be at most {max} with this label: the page has {pageMm} mm, less a margin of {marginMm} mm, got {got}',
  labelBeyondPage:
    'must be at most {max}: the page has {pageMm} mm, less a margin of {marginMm} mm, got {got}',
} as const
