import { inLanguage } from './chosen-language.ts'
import { isOne, listsOf } from './plurals.ts'

const inSentence = listsOf('en')

// Words of the settings: organization, members, proxy check, copies.

export const settingsWords = inLanguage('settingsWords', {
  title: 'Settings',
  parts: 'Sections of the settings',
  general: 'Organization',
  members: 'Members',
  domains: 'Domains',
  auditLog: 'Audit log',
  connection: 'Proxy check',
  copies: 'Copies',
  onlyAdmins: 'Only admins of the organization can see or change this.',
  onlyAdminsChange: 'Only admins of the organization can change them.',
  name: 'Name',
  nameHint: 'Members see it here in the dashboard.',
  publicName: 'Name on your pages',
  publicNameHint: 'Visitors see it on the pages that your codes open. Leave it empty to show none.',
  saved: 'Saved',
  logo: 'Logo on your pages',
  logoText: 'PNG, JPEG or WebP, up to 1 MB.',
  noLogo: 'No logo',
  chooseLogo: 'Choose a picture',
  replaceLogo: 'Choose another picture',
  removeLogo: 'Remove',
  logoRemoved: 'Logo removed.',
  logoTooLarge: 'This file is larger than 1 MB. Choose a smaller picture.',
  logoSaved: 'Logo saved. Your pages show it now.',
  styles: 'Saved styles',
  stylesText: 'New codes get the style marked “For new codes”. Existing codes keep theirs.',
  noStyles: 'No saved styles yet. You can save one while you create a code.',
  isDefault: 'For new codes',
  makeDefault: 'Use for new codes',
  noDefault: 'Use the default style',
  styleMenu: (name: string) => `Actions for ${name}`,
  rename: 'Rename',
  renameTitle: 'Rename style',
  deleteStyle: 'Delete',
  styleDeleted: (name: string) => `Style “${name}” deleted.`,
  scansKept: 'How long scans are kept',
  scansKeptText: (days: number | null) =>
    days === null
      ? 'Forever: this installation deletes no scans.'
      : `${days === 1 ? 'One day' : `${days} days`}, until the following midnight (UTC). Then they disappear from lists, analytics and the totals of codes. The operator sets this with RETENTION_DAYS.`,
  export: 'Export everything',
  exportText:
    'One archive with all codes, their short links and history, folders, and redirect rules for another server. Your printed codes are never locked in.',
  exportAction: 'Download export',
  mailsStopped: (since: string) =>
    `The operator of this installation has stopped the e-mails of this organization (${since}). No invitations and no e-mails of views are sent until the operator allows them again.`,
  leave: 'Leave this organization',
  leaveText: 'You lose access to its codes, and the API keys that you created here stop working.',
  leaveAction: 'Leave',
  leaveTitle: (name: string) => `Leave ${name}?`,
  leaveConfirm: 'You can come back only if someone invites you again.',
  left: (name: string) => `You left ${name}.`,
  noOrganization: 'You have no organization yet',
  noOrganizationText: 'Ask for an invitation, or create your own.',
})

export const membersWords = inLanguage('membersWords', {
  title: 'Members',
  roles: { ADMIN: 'Admin', EDITOR: 'Editor', VIEWER: 'Viewer' },
  rolesText: {
    ADMIN: 'Admin: everything, including members and keys',
    EDITOR: 'Editor: creates and changes codes',
    VIEWER: 'Viewer: sees codes and analytics',
  },
  count: (members: number, written: string) => (members === 1 ? '1 member' : `${written} members`),
  you: 'You',
  roleOf: (name: string) => `Role of ${name}`,
  roleChanged: (name: string, role: string) => `${name} is now ${role}.`,
  ownRoleTitle: (role: string) => `Become ${role}?`,
  ownRoleText: 'You lose your admin rights immediately. Another admin can restore them.',
  ownRoleAction: 'Change my role',
  joined: (when: string) => `joined ${when}`,
  menu: (name: string) => `Actions for ${name}`,
  resetPassword: 'Create password link',
  resetLink: (name: string) => `Password link for ${name}`,
  resetOnce:
    'Give it to this person only: anyone who has it can set the password. It works once, for one hour.',
  copyLink: 'Copy link',
  remove: 'Remove',
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText: 'They lose access immediately, and the API keys that they created here stop working.',
  removeAction: 'Remove member',
  invite: 'Invite someone',
  inviteTitle: 'Invite someone',
  email: 'E-mail address',
  role: 'Role',
  makeInvitation: 'Create invitation',
  twoFactor: 'Two-factor sign-in',
  withoutTwoFactor: 'No second factor',
  demandTwoFactor: 'Every member must use two-factor sign-in',
  demandTwoFactorHint: 'Members without it cannot open this organization until they turn it on.',
  twoFactorFirst: 'Turn it on for your own account first.',
  openAccount: 'Open your account',
  demandTitle: 'Require two-factor sign-in?',
  demandText: (without: readonly string[]) =>
    without.length === 0
      ? 'All members use it already. New members turn it on when they join.'
      : `${listed(without)} cannot continue until they turn it on in their account. API keys keep working.`,
  demandSome:
    'Members without it cannot continue until they turn it on in their account. API keys keep working.',
  demandAction: 'Require it',
  twoFactorDemanded: 'Two-factor sign-in is now required.',
  twoFactorOptional: 'Two-factor sign-in is now optional.',
  inviteLink: (email: string) => `Invitation for ${email}`,
  inviteOnce: 'Send them this link. It works once, within 7 days, and is not shown again.',
  inviteMailed:
    'We have e-mailed them a link. If it does not arrive, send them this one. It works once, within 7 days, but does not confirm their e-mail address.',
  inviteNotMailed: {
    UNWANTED: 'Not e-mailed: the owner of this address wants no e-mails from this installation.',
    STOPPED: 'Not e-mailed: the operator has stopped the e-mails of this organization.',
    LIMITED: 'Not e-mailed: too many e-mails were sent.',
    REFUSED: 'Not e-mailed: the mail server did not take it.',
  },
  done: 'Done',
  invitations: 'Pending invitations',
  invited: (who: string, when: string) => `invited by ${who}, ${when}`,
  ends: (when: string) => `expires ${when}`,
  revoke: 'Withdraw',
  revokeTitle: (email: string) => `Withdraw the invitation for ${email}?`,
  revokeText: 'Its link stops working. You can invite them again.',
  revokeAction: 'Withdraw invitation',
})

export const proxyCheckWords = inLanguage('proxyCheckWords', {
  title: 'Proxy check',
  text: 'Checks whether Everscan sees where visitors really come from. Countries, cities and unique scans depend on it.',
  youComeFrom: 'Your address here',
  directly: 'directly, through no trusted proxy.',
  throughProxies: (count: number, which: string) =>
    count === 1 ? `through 1 proxy: ${which}.` : `through ${count} proxies: ${which}.`,
  compare:
    'Compare it with a page that shows your public address. On the network of the server, it is the local address of your device.',
  right: 'Is this your address?',
  rightText: 'Then everything is set up correctly.',
  wrong: 'Not your address?',
  suggestionText: (address: string) =>
    `The server at ${address} forwards your address, but is not trusted. If it is your proxy, start Everscan with this setting:`,
  copySetting: 'Copy the setting',
  noHeader:
    'Then a proxy in between does not forward your address. Let it send the header X-Forwarded-For, and open this page again.',
  someHeader:
    'Then the proxy forwards your address in another header. Let it send X-Forwarded-For as well, and open this page again.',
  trusted: 'Trusted proxies',
  trustedNone: 'None: TRUST_PROXY is not set.',
  trustedText: 'From the setting TRUST_PROXY. X-Forwarded-For is ignored from all others.',
  headers: 'Headers of your request',
  peer: 'Connected from',
  scans: 'Recent scans',
  scansNone: 'Not enough scans yet: at least 200 are needed.',
  scansFine: (share: string, count: string) =>
    `Of the last ${count} scans, ${share} came from the most frequent network. That looks right.`,
  scansOne: (share: string, count: string) =>
    `Of the last ${count} scans, ${share} came from one network. If visitors come from many places, Everscan sees a proxy in their place: set TRUST_PROXY.`,
  again: 'Check again',
})

export const machinesWords = inLanguage('machinesWords', {
  title: 'Machines',
  text: 'All machines share the codes. Each records scans on its own disk first. Remove a machine only when no scans are waiting on it.',
  states: { LIVE: 'Running', SILENT: 'Silent', STOPPED: 'Stopped' },
  since: { LIVE: 'Started', SILENT: 'Last seen', STOPPED: 'Stopped' },
  release: (release: string) => `Release ${release}`,
  waitingUnknown: 'Number of waiting scans unknown',
  waitingNone: 'No scans are waiting',
  waiting: (size: string) => `${size} of scans are waiting`,
  silent:
    'It no longer reports, although nobody stopped it. Scans on its disk may be nowhere else: start Everscan there again.',
  upgrade: {
    title: 'Upgrade of the scan store',
    text: 'Old scans are being converted for this release. Codes redirect and figures stay right meanwhile; figures may take longer.',
    done: (done: string, all: string) => `Rows done: ${done} of ${all}`,
    endsAt: (when: string) => `expected to end ${when}`,
    problem: 'The scan store cannot go on. It tries again by itself once the cause is gone:',
  },
})

export const copiesWords = inLanguage('copiesWords', {
  title: 'Copies',
  text: 'Copies of the whole installation: every organization, code and scan. Each can restore everything on another machine.',
  onlyOperator: 'Only the organization of the operator sees the copies.',
  state: 'State',
  last: 'Last copy',
  none: 'None yet',
  holds: (size: string, codes: string, scans: string) =>
    `${size}: ${isOne(codes) ? '1 code' : `${codes} codes`} and ${isOne(scans) ? '1 scan' : `${scans} scans`}`,
  lastVerified: 'Last verified',
  never: 'Never',
  verifiedMeans: 'Verified: restored in a test and compared.',
  schedule: 'Schedule',
  scheduleText: (hours: number, keep: number) =>
    `${hours === 1 ? 'Every hour' : hours === 24 ? 'Every day' : `Every ${hours} hours`}; ${keep === 1 ? 'only the newest is kept' : `the newest ${keep} are kept`}.`,
  dir: 'Folder',
  encryption: 'Encryption',
  encrypted: 'Encrypted. Without the passphrase, the copies are useless: store it elsewhere, too.',
  notEncrypted:
    'Not encrypted. Anyone with these files has every secret in them: set BACKUP_PASSPHRASE_FILE.',
  whatToDo: (hours: number) =>
    `Fix this on the server. Everscan retries within ${hours === 1 ? 'an hour' : `${hours} hours`}; “./everscan backup” makes a copy immediately.`,
  setUp: 'No copies are made',
  setUpText:
    'If this machine or its disk fails, all codes and scans are lost. Start Everscan with these two settings and a folder on another disk or machine:',
  settings: 'BACKUP_DIR=/mnt/backup\nBACKUP_PASSPHRASE_FILE=/etc/everscan/passphrase',
  copySettings: 'Copy the settings',
  setUpMore:
    'Write a passphrase of your choice into the first line of that file. Everscan then makes a copy every day. See docs/backup.md, which comes with Everscan.',
  recent: 'Latest copies',
  states: {
    MAKING: 'In progress',
    CHECKED: 'Complete',
    VERIFIED: 'Verified',
    PARTIAL: 'Lacks scans',
    FAILED: 'Failed',
  },
  lost: (hits: string, days: string) =>
    `Lost scans of ${days}: ${hits}. Analytics lack them, and so does every copy that is made now.`,
  lostWhatToDo:
    'Restore a copy that has these scans, or accept the loss on the server with “./everscan adopt losses”. Until then, older complete copies are kept.',
  onMachine: (machine: string) => `On the machine ${machine}`,
  places: 'Places of scans',
  placesText:
    'Countries and cities come from a database that ages: networks move. To use newer files, set GEOIP_CITY_V4 and GEOIP_CITY_V6 and replace the files each month.',
  placesIpv4: 'IPv4 data built',
  placesIpv6: 'IPv6 data built',
  placesUnreadable: 'The file cannot be read: see the log.',
  wrongNow: 'What is wrong now',
  history: 'History of this installation',
  noNotes: 'Nothing unusual: no scans were lost, and no older data was restored.',
  notes: {
    catalogueOlder: (minutes: number, written: string) =>
      `A catalogue that was about ${written} ${minutes === 1 ? 'minute' : 'minutes'} older was restored. Everyone had to sign in again.`,
    catalogueBehind: (hits: string) =>
      `An older catalogue was restored. Scans of the scan store that it lacked: ${hits}. All are counted again.`,
    reservedThen: (codes: number, written: string) =>
      codes === 1 ? 'One code that it lacked is reserved.' : `${written} codes that it lacked are reserved.`,
    keysSince:
      'The audit log names the API keys that were revoked, created or used since then. Revoked keys stay revoked.',
    scansDoubled: (hits: string) =>
      `Scans that were in the scan store twice: ${hits}. The duplicates were removed.`,
    countersCorrected: (scans: string) =>
      `Scan totals of some codes were wrong by ${scans} in all, and were corrected.`,
    scansPutBack: (hits: string) => `Scans that the scan store had lost: ${hits}. All were restored.`,
    scansLost: (hits: string, days: string) =>
      `Scans of ${days} that are permanently lost: ${hits}. Analytics lack them.`,
    days: (first: string, last: string) => `${first} to ${last}`,
    visitorKey:
      'The key that recognizes visitors was replaced: returning visitors counted as unique once more.',
    visitorsBy64:
      'Since then, IPv6 visitors are recognized by their network: some counted as unique once more.',
    adopted: (what: string) => `The operator adopted ${what} that belonged to another installation.`,
    adoptedParts: {
      'data-dir': 'a data directory',
      'scan-store': 'a scan store',
      secret: 'another SECRET',
    },
    lossesAccepted: 'The operator accepted the loss of scans.',
    restored: (madeAt: string) => `Everything was restored from the copy of ${madeAt}.`,
    moved: 'Everything was moved from the embedded databases to PostgreSQL and ClickHouse.',
  },
  reserved: (codes: number, written: string) =>
    codes === 1
      ? 'One short code that was in use is missing from the restored catalogue. It is never given out again.'
      : `${written} short codes that were in use are missing from the restored catalogue. They are never given out again.`,
  mails: {
    title: 'Sent e-mails',
    text: 'Invitations, questions for consent and e-mails of views that members caused in the last 90 days. Addresses of recipients are not kept. Later returns go to the sender address of the mails.',
    none: 'No such e-mails were sent.',
    kinds: { invitation: 'Invitations', consent: 'Questions for consent', view: 'Figures of views' },
    count: (count: number, written: string) => (count === 1 ? 'One e-mail' : `${written} e-mails`),
    refused: (written: string) => `not taken by the mail server: ${written}`,
    to: (domain: string) => `to ${domain}`,
    deleted: 'Deleted organization',
    unknownSender: 'Unknown sender',
    stopped: 'Stopped',
    stop: 'Stop e-mails',
    allow: 'Allow e-mails',
    stopTitle: (name: string) => `Stop the e-mails of ${name}?`,
    stopText:
      'No invitations and no e-mails of views are sent from now on. Its administrators see that the operator did it. E-mails about accounts and domains go on.',
  },
  release: (release: string) => `Release ${release}`,
})

const namedMax = 5

/** Joins names in a sentence: `Ada, Ben, and 3 others`. */
function listed(names: readonly string[]): string {
  const others = names.length - namedMax
  const all = others <= 1 ? names : [...names.slice(0, namedMax), `${others} others`]
  return inSentence(all)
}
