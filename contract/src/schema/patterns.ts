import { dimensions, matrixDimensions } from '../dimensions/dimensions.ts'

/**
 * Characters of a mailbox (RFC 5322, `atext`), and those of other scripts (RFC 6531), without
 * invisible ones.
 */
const beyondAscii =
  '\\u00a1-\\u00ac\\u00ae-\\u1fff\\u2010-\\u2027\\u2030-\\u205e\\u2070-\\u2fff\\u3001-\\ud7ff\\ue000-\\ufefe\\uff00-\\uffff'
const mailboxPart = `[A-Za-z0-9!#$%&'*+/=?^_\`{|}~${beyondAscii}-]+`
const hostPart = `[A-Za-z0-9${beyondAscii}](?:[A-Za-z0-9${beyondAscii}-]{0,61}[A-Za-z0-9${beyondAscii}])?`

const inMatrix = matrixDimensions.join('|')

/** The patterns of the schemas. They match the same texts with and without the `u` flag. */
export const patterns = {
  /**
   * One line with at least one visible character: names, labels, tags. PostgreSQL also rejects NUL.
   */
  line: '^(?=[^\\u0000]*\\S)[^\\u0000-\\u001f\\u007f]*$',
  /** One line, possibly empty. */
  optionalLine: '^[^\\u0000-\\u001f\\u007f-\\u009f]*$',
  /** Multi-line text: tabs and line breaks are the only control characters allowed. */
  text: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f]*$',
  /**
   * Any id that a client may send. A malformed id is simply unknown, so almost every text matches.
   */
  id: '^[^\\u0000-\\u001f\\u007f]+$',
  /** A line in which braces only stand around the name of a placeholder. */
  utmValue: '^(?=[^\\u0000]*\\S)(?:[^\\u0000-\\u001f\\u007f{}]|\\{(?:name|shortCode|folder)\\})*$',
  hexColor: '^#[0-9A-Fa-f]{6}$',
  date: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}([.,]\\d{1,9})?)?(Z|[+-]\\d{2}:?\\d{2})?)?$',
  /** A day, or a time with its offset from UTC: RFC 3339, section 5.6. */
  expiry: '^\\d{4}-\\d{2}-\\d{2}([Tt]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?([Zz]|[+-]\\d{2}:\\d{2}))?$',
  timezone: '^[A-Za-z][A-Za-z0-9_+/-]*$',
  country: '^[A-Z]{2}$',
  ruleCountry: '^[A-Z][A-Z]$',
  region: '^[A-Z]{2}-[A-Z0-9]{1,3}$',
  language: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$',
  clockTime: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  moment: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2})$',
  queryName: '^[^\\u0000-\\u001f\\u007f]{1,100}$',
  countryFilter: dimensions.country.filter.pattern,
  ruleFilter: dimensions.rule.filter.pattern,
  /** Two dimensions of `matrixDimensions`, which must differ. */
  matrix: `^(?!([A-Za-z]+),\\1$)(${inMatrix}),(${inMatrix})$`,
  /**
   * An address that mail can be sent to: no quoted mailbox, no address of a machine in place of a
   * host, no dot at an edge. The host may be a name of the own network.
   */
  mailAddress: `^(?=[^@]{1,64}@)${mailboxPart}(?:\\.${mailboxPart})*@(?!(?:.*\\.)?[0-9]+$)(?:${hostPart}\\.)*${hostPart}$`,
  /** An address as people write it: the content of a code, and what somebody signs in with. */
  email: '^[^\\s@\\u0000-\\u001f\\u007f]+@[^\\s@\\u0000-\\u001f\\u007f]+$',
  phone: '^(?=.*[0-9])[+*#(0-9][0-9 ()+./*#,;-]*$',
  twoFactorCode: '^[0-9]{6}$',
  base64Url: '^[A-Za-z0-9_-]+$',
  shortCode: '^[A-Za-z0-9-]{4,32}$',
  /**
   * Characters of a path that are never percent-encoded (RFC 3986, 2.3), "+" and "/". No segment
   * that a browser would remove or merge.
   */
  exactShortCode: '^(?!/|\\.\\.?(?:/|$))(?!.*/(?:/|\\.\\.?(?:/|$)))[A-Za-z0-9._~+/-]{1,128}$',
  password: '^[^\\u0000]+$',
  metadataKey: '^[^\\u0000-\\u001f\\u007f]{1,50}$',
  webhookSecret: '^whsec_[A-Za-z0-9+/]{32,86}={0,2}$',
  logo: '^data:image/(png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$',
} as const
