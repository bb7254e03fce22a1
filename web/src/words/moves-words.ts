import type { MoveField, MoveSource } from '@everscan/contract/moves/move-sources.ts'
import type { VisitField } from '@everscan/contract/moves/moved-visits.ts'
import { inLanguage } from './chosen-language.ts'

/** Products that links move from. */
const products: Readonly<Record<MoveSource, string>> = {
  bitly: 'Bitly',
  dub: 'Dub',
  kutt: 'Kutt',
  shlink: 'Shlink',
  yourls: 'YOURLS',
  shortio: 'Short.io',
  rebrandly: 'Rebrandly',
  csv: 'Another product',
}

/** How to get the file of a product. */
const exports: Readonly<Record<MoveSource, string>> = {
  bitly: 'In Bitly, open Links, then Export. The CSV file comes by e-mail.',
  dub: 'In Dub, open Links, then Export links. Choose short link, destination URL, title, tags, created at and clicks.',
  kutt: 'Kutt has no export. Save the answers of its API (/api/v2/links) as a JSON file.',
  shlink: 'In the web client of Shlink, use Export above the list of short URLs.',
  yourls: 'YOURLS has no export. Take the table yourls_url from its database, as CSV.',
  shortio: 'In Short.io, export the links of one domain as CSV.',
  rebrandly: 'Rebrandly returns its links as JSON (/v1/links). Save them as one file.',
  csv: 'A CSV file with the columns shortCode and url, and if you have them title, tags, createdAt and clicks.',
}

const fields: Readonly<Record<MoveField, string>> = {
  shortCode: 'Short code',
  destination: 'Destination',
  title: 'Name',
  tags: 'Tags',
  createdAt: 'Created',
  clicks: 'Clicks so far',
}

const visitFields: Readonly<Record<VisitField, string>> = {
  code: 'Link',
  time: 'Time',
  userAgent: 'Browser and system',
  referrer: 'Coming from',
  country: 'Country',
  region: 'Region',
  city: 'City',
  bot: 'Bot or not',
}

const linksOf = (count: number, written: string) => (count === 1 ? '1 link' : `${written} links`)

/** Words of moves of links from other products. */
export const movesWords = inLanguage('movesWords', {
  title: 'Move in from another service',
  text: 'Bring your links with their short codes, names, tags, dates and clicks so far. Everything that is printed goes on working.',
  back: 'All imports',
  viewer: 'You need the editor role to move links in. Past moves are listed here.',
  /** The card on the page of imports. */
  offer: {
    title: 'Coming from another service?',
    text: 'Move the links of Bitly, Dub, Kutt, Shlink, YOURLS, Short.io, Rebrandly or any other product, with the short codes that are printed.',
    action: 'Move in from another service',
  },
  products,
  exports,
  fields,
  links: linksOf,
  steps: {
    list: 'Steps of the move',
    change: 'Change',
    changeLabel: (step: string) => `Change: ${step}`,
    done: 'Done',
    product: 'Which service are your links in?',
    target: 'Which host name is printed?',
    file: (product: string) => `The export of ${product}`,
    anyFile: 'The export of the other product',
    check: 'What can be moved',
  },
  target: {
    text: 'Codes keep working only on the host name that they were printed with.',
    installation: 'The address of this installation',
    installationText: 'For new prints, or if the old host name is now the address of this installation.',
    exact: 'Letter case counts: aBc and abc are two codes, as in most other products.',
    canonical: 'Letter case does not matter. If codes differ only in it, just one of them can be moved.',
    pending: 'Codes wait until it is proved, and answer nothing before.',
    prove: (hostname: string) => `Prove ${hostname}`,
    missing: 'Is the printed host name not in this list?',
    add: 'Add it as a domain',
    addText: 'Say there that letter case counts, and prove it. The old service goes on answering meanwhile.',
    askAdmin: 'Ask an admin to add it as a domain, with “Letter case counts”.',
    hosted: 'A host name of the other service, such as bit.ly, cannot move: it is not yours.',
    loading: 'Looking for your domains…',
  },
  file: {
    drop: 'Drop the export here',
    choose: 'or choose it',
    hint: (csv: string, json: string, rows: string) =>
      `CSV up to ${csv} MB, or JSON up to ${json} MB; up to ${rows} links.`,
    comes: 'What comes along, and what does not',
    problems: {
      tooLarge: (megabytes: string) =>
        `This file is larger than ${megabytes} MB. Split it, or use the command on the server.`,
      jsonTooLarge: (megabytes: string) =>
        `A JSON file may have up to ${megabytes} MB. Split it, or export the links as CSV.`,
      empty: 'This file has no links. Its first row must name the columns.',
      unreadable: 'This file is neither CSV nor JSON. Is a quotation mark (") missing somewhere?',
      workbook: 'This is a workbook. Save it as CSV, and drop that file here.',
    },
  },
  visits: {
    title: 'Visits one by one',
    hint: 'A second file, if you have it: the log of YOURLS, or the visits of Shlink. Visits of links that come become scans.',
    choose: 'Choose the file of visits',
    remove: 'Leave it out',
    can: (scans: number, written: string) =>
      scans === 1 ? '1 visit can come as a scan' : `${written} visits can come as scans`,
    came: (scans: number, written: string) =>
      scans === 1 ? '1 visit became a scan' : `${written} visits became scans`,
    bots: (bots: number, written: string) => (bots === 1 ? '1 was by a bot' : `${written} were by bots`),
    skippedCheck: (written: string) => `${written} cannot come`,
    skipped: (written: string) => `${written} did not come`,
    columns: 'Columns of the visits',
    fields: visitFields,
    unreadable: 'Visits that cannot be read',
    running: (done: string, of: string) => `${done} of ${of} visits`,
  },
  columns: {
    title: 'Columns',
    text: 'Recognized by their names. Change what is wrong.',
    field: 'Here',
    inFile: 'Column of the file',
    firstValue: 'First value',
    columnOf: (field: string) => `Column for ${field}`,
    none: 'No column',
    choose: 'Choose…',
    both: (first: string, second: string) => `${first}, or else ${second}`,
    missing: (field: string) => `Every link needs it: choose the column for ${field}.`,
  },
  preview: {
    title: 'The first links, as they will be',
    cannot: 'Cannot be moved',
    noCode: '(no short code)',
    clicks: (clicks: number, written: string) =>
      clicks === 1 ? '1 click before' : `${written} clicks before`,
    leadsTo: 'leads to',
  },
  check: {
    resolve: 'Look at each destination',
    resolveHint:
      'The service opens each one, and names those without a page. It takes about a second for five links of one website.',
    action: 'Check all links',
    looking: (done: string, of: string) => `Looking at destinations: ${done} of ${of}. Nothing is created.`,
    text: 'The check reads the whole file. Nothing is created.',
    sending: (share: string) => `Sending the file: ${share}`,
    checking: (done: string, of: string) => `Checking links: ${done} of ${of}. Nothing is created.`,
    allFine: (links: number, written: string) =>
      links === 1
        ? 'The link can be moved. Nothing is created yet.'
        : `All ${written} links can be moved. Nothing is created yet.`,
    someFine: (fine: string, wrong: string) =>
      `${fine} can be moved, ${wrong} cannot. Nothing is created yet.`,
    noneFine: 'No link can be moved as it is.',
    exact:
      'Most of these codes fit a domain on which letter case counts. Choose or add one in the step “Which host name is printed?”.',
    start: (links: string) => `Move ${links} in`,
    progress: 'Progress of the check',
  },
  problems: {
    title: 'Links that cannot be moved',
    titleAfter: 'Links that could not be moved',
    warnings: 'Destinations without a page',
    warningsText: 'These links are moved nevertheless. You can change their destinations here later.',
    line: (written: string) => `Line ${written}`,
    more: (written: string) => `Show ${written} more`,
    beyond: (written: string) => `and ${written} more, all of them in the download`,
    download: 'Download them with the reasons',
  },
  job: {
    back: 'Move other links in',
    running: (done: string, of: string) => `Links: ${done} of ${of}`,
    progress: 'Progress of the move',
    cancel: 'Stop the move',
    cancelTitle: 'Stop this move?',
    cancelText: 'Links that are already here stay. The others are not moved.',
    leave: 'You can leave this page. The move goes on.',
    completed: (links: string) => `${links} moved in`,
    checked: (links: string) => `Checked: ${links} can be moved`,
    refused: (links: string) => `${links} could not be moved`,
    refusedCheck: (links: string) => `${links} cannot`,
    cancelled: (links: string) => `Stopped after ${links}`,
    failed: 'This move failed',
    checkOnly: 'Check only',
    statuses: {
      PENDING: 'Waiting',
      PROCESSING: 'Running',
      COMPLETED: 'Done',
      FAILED: 'Failed',
      CANCELLED: 'Stopped',
    },
  },
  plan: {
    title: 'A domain without a gap',
    steps: [
      [
        'Prove the domain',
        'Add it with “Letter case counts”, and set the TXT record. Scans go on arriving at the old service.',
      ],
      ['Get its certificate', 'Before the DNS changes, so that phones show no warning.'],
      ['Move the links in', 'On this page: nothing changes for people who scan.'],
      ['Compare', '200 links are opened in both services, and those that differ are listed.'],
      ['Switch the DNS', 'Make the host name lead here. Keep the old account until you are sure.'],
    ],
    domains: 'Open the domains',
  },
  next: {
    title: 'What comes next',
    hosted: (hostname: string) =>
      `Scans of ${hostname} still arrive where its DNS leads. Once the links are compared, switch it: its records are in the settings.`,
    waits: (hostname: string) =>
      `The codes and their visits wait until ${hostname} is proved, and answer nothing before. Set its record, then compare the links here.`,
    installation: 'Print new codes, or make the old links lead to the new ones.',
    domains: 'Records to set',
  },
  compare: {
    title: 'Compare with the old service',
    text: (links: string) =>
      `Checks where the old service leads ${links} of this move, and whether the destination is the same here. Compare before you switch the DNS. The old service may count these requests as clicks.`,
    sample: (written: string) => `${written} random links`,
    all: (links: number, written: string) => (links === 1 ? 'the one link' : `the ${written} links`),
    baseUrl: 'Where the old service answers',
    baseUrlHint: 'Only if it is not at the short URLs of the file, such as https://old.example.com.',
    start: 'Compare',
    again: 'Compare again',
    running: (done: string, of: string) => `Compared links: ${done} of ${of}`,
    progress: 'Progress of the comparison',
    allSame: (links: number, written: string) =>
      links === 1
        ? 'The link leads to the same address in both services.'
        : `All ${written} links lead to the same address in both services.`,
    different: (count: string, of: string) =>
      `Links that do not lead to the same address: ${count} of ${of}.`,
    failed: 'The comparison failed.',
    list: 'Links that differ',
    there: 'Old service',
    here: 'Here',
    noRedirect: 'no redirect',
    status: (status: string) => `no redirect (status ${status})`,
  },
  history: 'Past moves',
  noHistory: 'Your moves will be listed here.',
})
