import type { CodeForm } from '@everscan/contract/domains/code-forms.ts'
import type { DomainStatus } from '@everscan/contract/domains/domains.ts'
import { inLanguage } from './chosen-language.ts'

// Words of domains: their page, and where codes choose one.

export const domainsWords = inLanguage('domainsWords', {
  title: 'Domains',
  text: 'Print codes on an address of your own, such as go.example.com/MENU.',
  add: 'Add domain',
  addTitle: 'Add a domain',
  addText:
    'Use a name that is for codes only, such as a subdomain. Everything on it is answered here, and your website can’t share it.',
  hostname: 'Host name',
  hostnameHint: 'For example, go.example.com. It cannot be changed later.',
  addAction: 'Add domain',
  codes: 'Short links',
  codeForms: {
    canonical: 'Letter case does not matter',
    exact: 'Letter case counts',
  } satisfies Readonly<Record<CodeForm, string>>,
  codesHint:
    'If codes with this domain were printed with another product, letter case must count: aBc and abc are different codes there. It can’t be changed once the domain has had a code.',
  exactCodes: 'Letter case counts in its short links.',
  changeCodes: 'Change its short links',
  changeCodesTitle: (hostname: string) => `Short links on ${hostname}`,
  none: {
    title: 'No domain of your own yet',
    text: 'Your codes are on the address of this installation. With a domain of your own, prints show your name and can move with you.',
  },
  statuses: {
    PENDING: 'Not proved yet',
    ACTIVE: 'Active',
    FAILING: 'Proof missing',
  } satisfies Readonly<Record<DomainStatus, string>>,
  statusTexts: {
    PENDING: 'Set the records below at your DNS provider. Until then, no code answers on this domain.',
    ACTIVE: 'Proved: codes can be on this domain.',
    FAILING:
      'Its proof has been missing for more than 7 days. Printed codes go on working, but another organization can take the domain over. Set the TXT record again.',
  } satisfies Readonly<Record<DomainStatus, string>>,
  isDefault: 'For new codes',
  reach: {
    arrives: 'Scans of this domain arrive here.',
    missing: 'Scans of this domain do not arrive here yet.',
    unknown: 'This server can’t find out itself whether scans arrive. Open the domain on a phone to see.',
  },
  answers: {
    own: (codes: number, written: string) =>
      codes === 1
        ? 'Answers 1 code, which is of this organization.'
        : `Answers ${written} codes, all of this organization.`,
    former: (written: string, others: string) =>
      `Answers codes of this organization (${written}) and of an earlier owner (${others}).`,
    waiting: (codes: number, written: string) =>
      codes === 1 ? '1 code waits for the proof' : `${written} codes wait for the proof`,
    lost: (codes: number, written: string) =>
      codes === 1
        ? '1 imported code whose short link another code has'
        : `${written} imported codes whose short links other codes have`,
    more: (written: string) => `${written} more`,
    renameLabel: (name: string) => `Change the short link of ${name}`,
    renameTitle: (name: string) => `Short link of ${name}`,
    renameText: 'A print with the present short link will not lead to this code.',
    deleteLabel: (name: string) => `Delete ${name}`,
    deleteTitle: (name: string) => `Delete ${name}?`,
    deleteText: 'The code never answered here. It is deleted for good, with the scans that came with it.',
    deleteAction: 'Delete code',
  },
  shortCode: 'Short link',
  former: {
    title: (written: string) => `Codes of the former owner: ${written}`,
    noAddress: 'Leads to no address',
    give: 'Give notice',
    giveTitle: (hostname: string) => `Give notice to the former owner of ${hostname}?`,
    giveText:
      'Its printed codes on this name work for 90 more days. Until then, nobody can change where they lead. Then their scans show that the code has ended. The former owner’s administrators are told by mail. You can withdraw the notice before its end.',
    withdraw: 'Withdraw notice',
    withdrawTitle: (hostname: string) => `Withdraw the notice for ${hostname}?`,
    withdrawText: 'The codes of the former owner go on working, and it can change them again.',
    end: (day: string) => `They end on ${day}.`,
    notice: (hostname: string, day: string) =>
      `${hostname} belongs to another organization now, which gave notice: your codes on it end on ${day}. Until then, they can only be archived or deleted. Print those that you need with another address.`,
    ended: (hostname: string, day: string) =>
      `${hostname} belongs to another organization now, which gave notice: your codes on it ended on ${day}.`,
  },
  certificates: {
    PENDING: 'The certificate for https is being ordered, which takes a minute or two.',
    ISSUED: (until: string) => `It has https. The certificate is renewed before ${until}.`,
    failing: (problem: string) => `No certificate for https could be ordered: ${problem}`,
    expiring: (until: string, problem: string) =>
      `The certificate for https could not be renewed, and ends on ${until}: ${problem}`,
  },
  certificateRecord: {
    title: 'DNS record for the certificate',
    text: 'With it, the domain has https before it leads here. It is looked for every minute, and may be removed once the domain has https.',
    copyName: 'Copy the name of the record for the certificate',
    copyValue: 'Copy the value of the record for the certificate',
    byDns: 'Get the certificate by DNS',
    automatic: 'Get the certificate automatically',
    madeByDns: (hostname: string) => `The record to set for ${hostname} is shown in a minute.`,
    madeAutomatic: 'The certificate is ordered as soon as the domain leads here.',
  },
  records: 'DNS records to set',
  recordsSet: 'DNS records',
  recordsText:
    'The TXT record proves that the domain is yours, and must stay. The other one leads scans here.',
  recordsProofText: 'It proves that the domain is yours, and must stay.',
  type: 'Type',
  name: 'Name',
  value: 'Value',
  isSet: 'Set',
  notFound: 'Not found',
  notLooked: 'Not checked yet',
  /** A host that leads somewhere else on purpose: a proxy in front, or A instead of CNAME. */
  leadsTo: (value: string) => `Leads to ${value}`,
  copyName: (type: string) => `Copy the name of the ${type} record`,
  copyValue: (type: string) => `Copy the value of the ${type} record`,
  check: 'Check now',
  checkLabel: (hostname: string) => `Check now: ${hostname}`,
  checked: (age: string) => `Checked ${age}`,
  proved: (hostname: string) => `${hostname} is proved.`,
  stillMissing: 'Changes of the DNS can take an hour to arrive.',
  allSet: (hostname: string) => `${hostname}: every record is set.`,
  menu: (hostname: string) => `Actions for ${hostname}`,
  makeDefault: 'Use for new codes',
  noDefault: 'Don’t use for new codes',
  madeDefault: (hostname: string) => `New codes are on ${hostname} now.`,
  unmadeDefault: 'New codes are on the address of this installation now.',
  addresses: 'Change where it leads',
  addressesTitle: (hostname: string) => `Where ${hostname} leads`,
  rootUrl: 'Home page',
  rootUrlHint: (hostname: string) => `For whoever opens ${hostname} itself. Empty: a plain page.`,
  notFoundUrl: 'Unknown codes',
  notFoundUrlHint: 'For mistyped codes. Empty: the page of Everscan.',
  goneUrl: 'Ended codes',
  goneUrlHint: 'For codes that are archived or deleted. Empty: the page of Everscan.',
  addressesSaved: 'Saved',
  leads: { rootUrl: 'Home page', notFoundUrl: 'Unknown codes', goneUrl: 'Ended codes' },
  showCodes: 'Show its codes',
  delete: 'Delete',
  deleteTitle: (hostname: string) => `Delete ${hostname}?`,
  deleteCounting: 'Counting the codes on it…',
  deleteUnused: 'No active codes are on this domain.',
  deleteCodes: (codes: number, written: string) =>
    codes === 1
      ? 'One active code is on this domain. It will be archived.'
      : `${written} active codes are on this domain. All of them will be archived.`,
  deletePrints:
    'Everything printed with this domain stops working: a scan shows the page for unknown codes. Its short links are never given out again.',
  deleteProof: 'You can add the domain again later; it then needs a new proof.',
  deleteType: (hostname: string) => `Type ${hostname} to confirm`,
  deleteAction: 'Delete domain',
  deleteWithCodes: 'Archive codes and delete domain',
  deleted: (hostname: string) => `${hostname} deleted.`,
  choice: 'Domain',
  choiceHint: 'It is printed, so it cannot be changed later.',
  filterAll: 'All domains',
  ofInstallation: 'This installation',
})
