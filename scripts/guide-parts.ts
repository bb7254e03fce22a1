// Writes the parts of the guide that come from the contract or from deploy/proxies, between
// `<!-- begin NAME -->` and `<!-- end NAME -->`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { qrCodeTypes } from '../contract/src/code-types/code-types.ts'
import { commonImportColumns, importColumns } from '../contract/src/code-types/import-columns.ts'
import { eventDescriptions } from '../contract/src/resources/events.ts'
import { webhookFailuresMax, webhookRetriesSeconds } from '../contract/src/resources/webhooks.ts'
import { limits } from '../contract/src/schema/limits.ts'
import { minPrint } from '../qr/src/reading/min-print.ts'
import { megabytesMax } from './sizes/installed-files.mjs'

const written = (value: number): string => value.toLocaleString('en')

/** Returns a table in the form of the formatter, which the check compares with. */
function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) =>
    Math.max(3, title.length, ...rows.map((row) => row[at]?.length ?? 0)),
  )
  const line = (cells: readonly string[]): string =>
    `| ${widths.map((width, at) => (cells[at] ?? '').padEnd(width)).join(' | ')} |`
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

/** Columns of each type that are not columns of every type. */
function importColumnsPart(): string {
  const rows = qrCodeTypes.map((type) => {
    const columns = importColumns(type).filter(({ name }) => !commonImportColumns.has(name))
    const names = columns.map(({ name, required }) => `\`${name}\`${required ? '\\*' : ''}`)
    return [type, names.join(', ')]
  })
  return tableOf(['Type', 'Columns'], rows)
}

function eventsPart(): string {
  const rows = Object.entries(eventDescriptions).map(([name, data]) => [`\`${name}\``, data])
  return tableOf(['Event', '`data`'], rows)
}

function retriesPart(): string {
  const waits = webhookRetriesSeconds.map((seconds) => {
    if (seconds < 60) return `${seconds} s`
    return seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`
  })
  return `${waits.slice(0, -1).join(', ')} and ${waits.at(-1)}.`
}

/** The limits that people meet, in groups. */
const limitGroups: readonly [title: string, rows: readonly [what: string, value: number, unit?: string][]][] =
  [
    [
      'Codes',
      [
        ['Name', limits.nameCharsMax, 'characters'],
        ['Address', limits.urlCharsMax, 'characters'],
        ['Text, message or note', limits.textCharsMax, 'characters'],
        ['Chosen short code, at least', limits.shortCodeCharsMin, 'characters'],
        ['Chosen short code, at most', limits.shortCodeCharsMax, 'characters'],
        ['Tags of a code', limits.tagsMax],
        ['Tag', limits.tagCharsMax, 'characters'],
        ['Metadata of a code', limits.metadataKeysMax, 'keys'],
        ['Sections of a menu', limits.menuSectionsMax],
        ['Items in a section', limits.menuItemsMax],
        ['Links of a SOCIAL code', limits.socialLinksMax],
        ['Versions in the history', limits.historyVersionsMax],
        ['Saved styles', limits.stylesMax],
        ['UTM templates', limits.utmTemplatesMax],
        ['Domains', limits.domainsMax],
        ['Domains that are not proved', limits.pendingDomainsMax],
        ['Caption of a frame', limits.frameTextCharsMax, 'characters'],
      ],
    ],
    [
      'Many at once',
      [
        ['Codes in a batch call, or pictures in a zip', limits.batchMax],
        ['Rows of an import', limits.importRowsMax],
        ['File of an import', limits.importBytesMax / 1024 ** 2, 'MiB'],
        ['Archive of an organization', limits.archiveBytesMax / 1024 ** 2, 'MiB'],
        ['Imports that have not ended', limits.importsOpenMax],
        ['Labels in a PDF', limits.labelsMax],
        ['Entries of a page of a list', limits.pageLimitMax],
      ],
    ],
    [
      'Programs',
      [
        ['Keys of an organization', limits.apiKeysMax],
        ['Networks of a key', limits.keyNetworksMax],
        ['Requests per minute of a key, unless configured', limits.rateLimitPerMinuteDefault],
        ['Webhooks of an organization', limits.webhooksMax],
        ['Scans in a call with `batch`', limits.webhookBatchMax],
        ['Deliveries are kept', limits.webhookDeliveryDays, 'days'],
        ['Event streams can resume after', limits.eventHours, 'hours'],
        ['Body of a request', limits.bodyBytesMax / 1024 ** 2, 'MiB'],
        ['Body of a batch call', limits.batchBodyBytesMax / 1024 ** 2, 'MiB'],
      ],
    ],
    [
      'People',
      [
        ['Password, at least', limits.passwordCharsMin, 'characters'],
        ['Session, unused', limits.sessionIdleDays, 'days'],
        ['Session, in all', limits.sessionDays, 'days'],
        ['Invitation', limits.invitationDays, 'days'],
        ['Link for a new password', limits.passwordResetHours, 'hour'],
        ['Passkeys of an account', limits.passkeysMax],
        ['Organizations that an account may own', limits.ownOrganizationsMax],
        ['Attempts to sign in per minute and network', limits.signInTriesPerMinute],
      ],
    ],
  ]

function limitsPart(): string {
  return limitGroups
    .map(([title, rows]) => {
      const lines = rows.map(([what, value, unit]) => [what, [written(value), unit].join(' ').trim()])
      return `## ${title}\n\n${tableOf(['What', 'At most, unless it says otherwise'], lines)}`
    })
    .join('\n\n')
}

function placesPart(): string {
  const rows = [
    ['event streams', limits.eventStreams],
    ['exports, archives, zips, sheets of labels', limits.downloads],
    ['files of imports', limits.uploads],
  ] as const
  return tableOf(
    ['', 'Key or session', 'Account', 'Organization', 'In total'],
    rows.map(([what, { keyMax, accountMax, organizationMax, totalMax }]) => [
      what,
      ...[keyMax, accountMax, organizationMax, totalMax].map(written),
    ]),
  )
}

/** A configuration that the suite of proxies runs. */
function proxyPart(file: string): string {
  const text = readFileSync(join(import.meta.dirname, '..', 'deploy', 'proxies', file), 'utf8')
  return `\`\`\`text\n${text}\`\`\``
}

/** By habit and network: `ratio` is unique scans counted ÷ phones that scanned. */
type Simulated = Record<string, Record<string, { ratio: number }>>

/** The saved result of `npm run bench -- visitors`. */
function simulatedVisitors(): Simulated {
  const path = join(import.meta.dirname, '..', 'bench', 'results', 'visitors.json')
  return (JSON.parse(readFileSync(path, 'utf8')) as { result: Simulated }).result
}

const habitTitles = {
  poster: 'a poster, for 30 days',
  evening: 'the guests of one evening',
  weeklyMenu: 'a menu, guests every second week, for 12 weeks',
  dailyCode: 'a code of a workplace, daily for 4 weeks',
  dailyCodeYear: 'the same for a year',
} as const
const networkTitles = {
  fixedIpv4: 'Home, IPv4',
  homeIpv6: 'Home, IPv6',
  carrierNat: 'Mobile, IPv4 of a carrier',
  mobileIpv6: 'Mobile, IPv6',
  mixed: 'All four',
  guestWifi: 'One guest Wi-Fi',
} as const

function uniqueScansPart(): string {
  const simulated = simulatedVisitors()
  const rows = Object.entries(habitTitles).map(([habit, title]) => [
    title,
    ...Object.keys(networkTitles).map((network) =>
      (simulated[habit]?.[network]?.ratio ?? Number.NaN).toFixed(2),
    ),
  ])
  return tableOf(['Counted ÷ phones', ...Object.values(networkTitles)], rows)
}

const parts: Readonly<Record<string, () => string>> = {
  'unique-scans': uniqueScansPart,
  'import-columns': importColumnsPart,
  events: eventsPart,
  'webhook-retries': retriesPart,
  limits: limitsPart,
  places: placesPart,
  nginx: () => proxyPart('nginx.conf'),
  caddy: () => proxyPart('Caddyfile'),
  haproxy: () => proxyPart('haproxy.cfg'),
  apache: () => proxyPart('apache.conf'),
}

/** Pages with such parts. */
export const pagesWithParts = [
  'docs/guide/analytics.md',
  'docs/guide/import.md',
  'docs/guide/limits.md',
  'docs/guide/proxies.md',
  'docs/guide/webhooks.md',
  'docs/operations.md',
]

/** Returns a page with its parts as they should be. Throws if the page names an unknown part. */
export function withParts(page: string): string {
  return page.replaceAll(/<!-- begin ([\w-]+) -->\n[^]*?<!-- end \1 -->/g, (_whole, name: string) => {
    const write = parts[name]
    if (write === undefined) throw new Error(`there is no part "${name}" in scripts/guide-parts.ts`)
    return `<!-- begin ${name} -->\n\n${write()}\n\n<!-- end ${name} -->`
  })
}

/** The modules of a plain code of version 2 with its margin. */
const plainModules = 33
const armsLengthMm = 450

/**
 * Returns the figure that a page states as `4<!-- =limits.shortCodeCharsMin -->`, or undefined if
 * there is none of this name.
 */
export function factOf(name: string): string | undefined {
  const [group, key = ''] = name.split('.')
  if (name === 'limits.importMegabytes') return written(limits.importBytesMax / 1024 ** 2)
  if (name === 'limits.moveMegabytes') return written(limits.moveBytesMax / 1024 ** 2)
  if (name === 'limits.moveJsonMegabytes') return written(limits.moveJsonBytesMax / 1024 ** 2)
  if (name === 'limits.importUnpackedMegabytes') return written(limits.importUnpackedBytesMax / 1024 ** 2)
  if (name === 'sizes.installation') return written(megabytesMax.installation)
  if (name === 'sizes.image') return written(megabytesMax.image)
  if (name === 'webhook.failures') return written(webhookFailuresMax)
  if (group === 'print') {
    const atArmsLength = minPrint({ width: plainModules }).minPrintMm
    return `${Math.round((atArmsLength * Number(key) * 10) / armsLengthMm) / 10} mm`
  }
  if (group === 'visitors') {
    const [, habit = '', network = ''] = name.split('.')
    return simulatedVisitors()[habit]?.[network]?.ratio.toFixed(2)
  }
  const value = group === 'limits' ? (limits as Readonly<Record<string, unknown>>)[key] : undefined
  return typeof value === 'number' ? written(value) : undefined
}
