// The aims of each bench and its baseline: the table of `docs/performance.md`, and the guard in
// `npm test`.

import { least, most, noErrors, shown, type Aim, type Figure } from './aim-figures.ts'
import { aimsOfFiles } from './scan-files/aims.ts'

/** The aims that `npm test` checks in a quick run, with a tolerance of a fifth. */
export const guarded = {
  redirect: least('redirects per second', 'ratio', 0.95),
  analytics: least('speed for the organization, relative to SQLite', 'organization.sqlite.ratio', 50),
} as const

export const aims: readonly Aim[] = [
  {
    bench: 'redirect',
    work: 'redirects of codes in memory, each scan in the journal, 64 connections, `front` alone on one core and the generator on the other, ingest paused',
    baseline: 'a bare `node:http` server with a constant 302 on the same core',
    figures: [
      guarded.redirect,
      most('99th percentile', 'p99Ratio', 1.3),
      shown('redirects', 'requestsPerSecond', 'per second'),
      shown('baseline', 'baselineRequestsPerSecond', 'per second'),
      most('processor time of a page relative to a redirect', 'page.cpuRatio', 3),
      shown(
        "redirects with ingest running on the generator's core, relative to the baseline",
        'besideIngest.ratio',
        '×',
      ),
      shown('99th percentile with ingest', 'besideIngest.p99Ratio', '×'),
      noErrors,
    ],
  },
  {
    bench: 'redirect --cold',
    work: 'redirects of random codes, most of which are not in memory, `front` alone on one core',
    baseline:
      'a bare `node:http` server on that core that reads the same row by its index with the same driver',
    figures: [
      shown('codes', 'sqlite.codes'),
      least('redirects per second, SQLite', 'sqlite.ratio', 0.6),
      shown('share that needed SQLite', 'sqlite.missShare'),
      least('redirects per second, PostgreSQL', 'postgresql.ratio', 0.6),
      shown('share that needed PostgreSQL', 'postgresql.missShare'),
      most('errors, SQLite', 'sqlite.errors', 0, ''),
      most('errors, PostgreSQL', 'postgresql.errors', 0, ''),
    ],
  },
  {
    bench: 'hostile',
    work: 'reads and redirects of a tenant beside one that sends unreadable styles, guesses passwords and keys, and opens streams and idle connections without end',
    baseline: 'the same beside a calm tenant',
    figures: [
      most('95th percentile of reads', 'get', 3),
      most('95th percentile of redirects', 'redirect', 2),
      shown('reads, calm', 'getP95Ms.calm', 'ms'),
      shown('reads, hostile', 'getP95Ms.hostile', 'ms'),
      shown('redirects, calm', 'redirectP95Ms.calm', 'ms'),
      shown('redirects, hostile', 'redirectP95Ms.hostile', 'ms'),
      noErrors,
    ],
  },
  {
    bench: 'redirect --busy',
    work: '1,000 redirects per second beside imports of 10,000 rows, 50 PNG pictures per second and analytics of a year',
    baseline: 'the same service, otherwise idle',
    figures: [
      most('99th percentile', 'ratio', 2),
      shown('99th percentile, otherwise idle', 'p99Ms.idle', 'ms'),
      shown('99th percentile, busy', 'p99Ms.busy', 'ms'),
      shown('imports meanwhile', 'imports'),
      shown('analytics meanwhile', 'analytics'),
      shown('pictures meanwhile', 'pictures'),
      noErrors,
    ],
    unmet:
      'Under this load every core is busy, and a redirect waits until the system schedules `front`. In the baseline a core is free.',
  },
  {
    bench: 'redirect --processes',
    work: 'processor time of a redirect with `FRONT_PROCESSES=2`, one core each',
    baseline: 'one process',
    figures: [most('processor time', 'cpuRatio', 1.15), noErrors],
  },
  {
    bench: 'redirect --domains',
    work: 'redirects of codes of 1,000 domains, each with its `Host`, `front` alone on one core',
    baseline: 'redirects of codes on no domain in the same process; a bare `node:http` server',
    figures: [
      least('redirects per second on domains', 'ratio', 0.9),
      least('redirects on domains, relative to a bare `node:http` server', 'ofDomains.ratio', 0.95),
      least('redirects on no domain, relative to a bare `node:http` server', 'ofPublicUrl.ratio', 0.95),
      shown('the same before there was a domain', 'before.ratio', '×'),
      shown('redirects on domains', 'requestsPerSecond', 'per second'),
      noErrors,
    ],
  },
  {
    bench: 'tls',
    work: 'https of a front with certificates of 1,000 domains: full handshakes of all names in turn, and redirects on kept connections',
    baseline: 'a bare `node:https` server with one certificate and a constant 302, on the same core',
    figures: [
      least('handshakes, by processor time', 'handshakes.ratio', 0.9),
      least('redirects, by processor time', 'redirects.ratio', 0.9),
      shown('handshakes', 'handshakes.perSecond', 'per second'),
      shown('redirects', 'redirects.perSecond', 'per second'),
      shown('first handshake of a domain', 'firstHandshakeMs', 'ms'),
      shown('memory after all names were used', 'memoryMb.ours', 'MB'),
      shown('memory of the baseline', 'memoryMb.bare', 'MB'),
    ],
  },
  {
    bench: 'rules',
    work: 'redirects of codes with ten rules by country, language, device and hours and a split, `front` alone on one core; and 500 redirects per second of codes without rules beside checks of passwords, and beside 500 scans per second of codes with a limit',
    baseline: 'redirects of codes without rules in the same process; the same redirects alone',
    figures: [
      least('redirects per second with ten rules', 'ratio', 0.6),
      most('99th percentile beside passwords', 'passwords.p99Ratio', 2),
      most('99th percentile beside limits', 'limits.p99Ratio', 2),
      noErrors,
      shown('processor time with ten rules', 'cpuRatio', '×'),
      shown('redirects with ten rules, relative to a bare `node:http` server', 'bare.ratio', '×'),
      shown('redirects with ten rules', 'requestsPerSecond.ruled', 'per second'),
      shown('without rules', 'requestsPerSecond.plain', 'per second'),
      shown('99th percentile alone', 'alone.p99Ms', 'ms'),
      shown('beside passwords', 'passwords.p99Ms', 'ms'),
      shown('checks of passwords', 'passwords.count'),
      shown('in a second', 'passwords.perSecond', 'per second'),
      shown('99th percentile beside limits', 'limits.p99Ms', 'ms'),
    ],
    unmet:
      'Four checks of passwords at once keep every core of a small machine busy, and a redirect waits until the system schedules `front`.',
  },
  {
    bench: 'api --through',
    work: 'reads of one code through `front`',
    baseline: 'the same reads directly from the socket of `api`',
    figures: [
      least('reads per second, 16 connections', 'ratio', 0.5),
      most('added time of a read, one connection', 'addedMs', 0.6, 'ms'),
      noErrors,
    ],
  },
  {
    bench: 'ingest',
    work: 'from a journal to rows in the scan store, with counters and positions, worker and engine on one core',
    baseline: "the engine's own insert of the same rows, prepared in advance, on that core",
    figures: [
      shown('scans', 'scans'),
      least('rows per second', 'ratio', 0.25),
      least('scans', 'scansPerSecond', 40_000, 'per second'),
      most("growth of the worker's memory", 'memoryMb', 150, 'MB'),
      shown("rows of the engine's own insert", 'bareRowsPerSecond', 'per second'),
      shown('processor time of a scan in the worker', 'cpuUsPerScan.worker', 'µs'),
      shown('in the engine', 'cpuUsPerScan.engine', 'µs'),
    ],
    unmet:
      'Worker and engine keep the core busy all the time, about half of it each. On a core with a faster bare insert, ingest is faster too.',
  },
  {
    bench: 'analytics',
    work: 'all figures of a year by day, for a code with a tenth of the scans and for the organization with all of them',
    baseline: 'the same breakdowns over the same scans in SQLite and in PostgreSQL, with suitable indexes',
    figures: [
      shown('scans', 'scans'),
      least('speed for the code, relative to SQLite', 'code.sqlite.ratio', 50),
      least('speed for the code, relative to PostgreSQL', 'code.postgresql.ratio', 50),
      guarded.analytics,
      least('speed for the organization, relative to PostgreSQL', 'organization.postgresql.ratio', 50),
      most('time for the code', 'code.ms', 100, 'ms'),
      most('time for the organization', 'organization.ms', 250, 'ms'),
    ],
  },
  {
    bench: 'analytics --selected',
    work: 'requests for figures of a year by day of some codes of an organization, from the request to the parsed answer',
    baseline: 'the same of all codes, which rollups have counted',
    figures: [
      shown('codes', 'codes'),
      shown('time for all', 'all.ms', 'ms'),
      most('time for a folder', 'folder.ms', 250, 'ms'),
      most('time for a tag that one code in three has', 'tag.ms', 250, 'ms'),
      most('time for the organization with a matrix of codes and cities', 'matrix.ms', 250, 'ms'),
      shown('time for a type that seven codes in ten have', 'type.ms', 'ms'),
      shown('for a matrix of countries and systems', 'matrix of devices.ms', 'ms'),
      shown('for the table of codes', 'table.ms', 'ms'),
      shown('by change', 'table by change.ms', 'ms'),
      shown('by name', 'table by name.ms', 'ms'),
    ],
    unmet:
      'Scans lie by month and code, so nearly every block of the store has scans of a third of the codes: their columns are unpacked whole, and each scan is looked up in the list of codes. The request for all codes, from rollups, takes as long as the most scanned codes and the unique scans take.',
  },
  {
    bench: 'analytics --growth',
    work: 'the same for 100,000 to 50,000,000 scans: growth of the time as a power of the scans; 0.5 is the square root',
    baseline: 'itself',
    figures: [
      most('code', 'code.exponent', 0.5, ''),
      most('organization', 'organization.exponent', 0.5, ''),
      shown('steepest between two sizes, code', 'code.steepest'),
      shown('organization', 'organization.steepest'),
    ],
  },
  ...aimsOfFiles,
  {
    bench: 'memory',
    work: 'resident memory of all processes together; pages shared by several processes count once (Pss)',
    baseline: 'a bound',
    figures: [
      most('asleep, with all codes and scans,', 'stages.asleep.total.pssMb', 330, 'MB'),
      most('of that, what comes from no file', 'stages.asleep.total.ownMb', 230, 'MB'),
      most('of `worker`', 'stages.asleep.worker.ownMb', 70, 'MB'),
      most('of `api`', 'stages.asleep.api.ownMb', 80, 'MB'),
      shown('total after the first start', 'stages.idle.total.pssMb', 'MB'),
      shown('codes', 'codes'),
      shown('total with these codes', 'stages.with codes.total.pssMb', 'MB'),
      shown('scans', 'scans'),
      shown('total with these codes and scans', 'stages.with scans.total.pssMb', 'MB'),
      shown('scans under load', 'scansPerSecond', 'per second'),
      shown('total under load', 'stages.under load.total.pssMb', 'MB'),
      shown('total idle, with shared pages counted for each process (Rss),', 'stages.idle.total.rssMb', 'MB'),
      shown('of which `main`', 'stages.idle.main.pssMb', 'MB'),
      shown('`front`', 'stages.idle.front.pssMb', 'MB'),
      shown('`api`', 'stages.idle.api.pssMb', 'MB'),
      shown('`worker`', 'stages.idle.worker.pssMb', 'MB'),
      shown('`engine`', 'stages.idle.engine.pssMb', 'MB'),
    ],
  },
  {
    bench: 'memory --hour',
    work: 'memory of all processes together in the last quarter of a long run of 2,000 scans per second',
    baseline: 'its second quarter',
    figures: [
      most('memory', 'growth', 1.05),
      shown('growth', 'grownMb', 'MB'),
      shown('seconds', 'seconds'),
      noErrors,
    ],
  },
  {
    bench: 'start',
    work: '`npm start`, with everything installed, until the first 200 of `/readyz`',
    baseline: 'a bound, and a bare `node:http` server until its first response',
    figures: [
      most('in an empty data directory', 'emptyMs', 2_500, 'ms'),
      shown('in an empty directory, relative to the bare server', 'emptyRatio', '×'),
      shown('codes', 'codes'),
      shown('scans', 'scans'),
      most('with codes and scans', 'filledMs', 4_000, 'ms'),
      shown('with codes and scans, relative to the bare server', 'filledRatio', '×'),
    ],
  },
  {
    bench: 'api',
    work: 'creates and reads by four callers, lists by one, in an organization of many codes; calls per second',
    baseline: 'an organization of 1,000 codes: its calls relative to those of the large one',
    figures: [
      shown('codes', 'size'),
      ...(['SQLite', 'PostgreSQL'] as const).flatMap((catalogue) => {
        const at = catalogue.toLowerCase()
        return [
          most(`creates, ${catalogue}`, `${at}.create.ratio`, 1.5),
          most(`reads, ${catalogue}`, `${at}.read.ratio`, 1.5),
          ...Object.entries({ firstPage: 'first page', filtered: 'filtered', search: 'search' }).flatMap(
            ([kind, what]) => [
              most(`${what}, ${catalogue}`, `${at}.${kind}.ratio`, 3),
              most(`${what}, ${catalogue}, 95th percentile`, `${at}.${kind}.p95Ms`, 50, 'ms'),
            ],
          ),
        ]
      }),
    ],
  },
  {
    bench: 'import',
    work: 'a file of 10,000 rows, from the upload to the end of its job',
    baseline: 'the bare insert of the same rows in one transaction',
    figures: [
      least('rows per second, the slower catalogue', 'ratio', 0.3),
      most('SQLite', 'sqlite.seconds', 3, 's'),
      most('PostgreSQL', 'postgresql.seconds', 5, 's'),
    ],
  },
  {
    bench: 'picture',
    work: 'a picture from its text to its bytes',
    baseline:
      '`qrcode`, and for styled pictures `qr-code-styling` with a DOM: the same content, level and size',
    figures: [
      least('plain SVG', 'figures.plain SVG.ratio', 5),
      shown('plain SVG, version and mask known to both', 'figures.plain SVG, kept.ratio', '×'),
      least('plain PNG, 512 pixels', 'figures.plain PNG 512.ratio', 10),
      least('plain PNG, 2,048 pixels', 'figures.plain PNG 2048.ratio', 10),
      least('styled SVG', 'figures.styled SVG.ratio', 50),
      shown('styled PNG, 1,024 pixels', 'figures.styled PNG 1024.ratio', '×'),
      most('a new style, with gradient and frame', 'check.gradient and frame.firstMs', 100, 'ms'),
    ],
  },
  {
    bench: 'events',
    work: 'redirects at 1,000 per second with a webhook and 200 readers of the live stream, and the delay until these receive a scan',
    baseline: 'the same redirects without any consumers of events',
    figures: [
      most('99th percentile of redirects', 'ratio', 2),
      most('99th percentile to a reader', 'streamP99Ms', 2_000, 'ms'),
      most('99th percentile to the webhook', 'webhookP99Ms', 2_000, 'ms'),
    ],
  },
  {
    bench: 'dashboard',
    work: 'every page of the dashboard, from its address until it is usable, with the browser on the same machine',
    baseline: 'a bound',
    figures: [
      shown('codes', 'codes'),
      shown('scans', 'scans'),
      most('the slowest page', 'slowestMs', 1_500, 'ms'),
    ],
  },
]

/** Returns the figure from a result. Undefined if the result lacks it. */
export function figureOf(result: object, path: string): number | undefined {
  const value = path
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], result)
  return typeof value === 'number' ? value : undefined
}

/** Whether a figure meets its aim. Undefined if there is no aim or the result lacks the figure. */
export function isMet(result: object, { path, aim }: Figure): boolean | undefined {
  const value = figureOf(result, path)
  if (aim === undefined || value === undefined) return undefined
  return 'atLeast' in aim ? value >= aim.atLeast : value <= aim.atMost
}
