// What the figures of each bench are held to and what they stand against: the table of `docs/performance.md`, and the guard in `npm test`.

export type Figure = {
  what: string
  /** Where it stands in the result of its bench: names with dots between them. */
  path: string
  unit: Unit
  /** Absent: nothing was promised, it says what the others are of. */
  aim?: { atLeast: number } | { atMost: number }
}

export type Aim = {
  /** As `npm run bench` calls it. */
  bench: string
  work: string
  baseline: string
  figures: readonly Figure[]
  /** What stands in the way: on the page while a figure is not met. */
  unmet?: string
}

type Unit = '×' | 'µs' | 'ms' | 's' | 'MB' | 'a second' | ''

const least = (what: string, path: string, atLeast: number, unit: Unit = '×') => {
  return { what, path, unit, aim: { atLeast } }
}
const most = (what: string, path: string, atMost: number, unit: Unit = '×') => {
  return { what, path, unit, aim: { atMost } }
}
const shown = (what: string, path: string, unit: Unit = '') => ({ what, path, unit })
const noErrors = most('errors', 'errors', 0, '')

/** What `npm test` holds a quick run to, a fifth below. */
export const guarded = {
  redirect: least('redirects a second', 'ratio', 0.95),
  analytics: least('speed for the organization, to SQLite', 'organization.sqlite.ratio', 50),
} as const

export const aims: readonly Aim[] = [
  {
    bench: 'redirect',
    work: 'redirects of codes in memory, each scan in the journal, 64 connections, `front` alone on a core and the generator on the other, what takes the scans in waiting meanwhile',
    baseline: 'a bare `node:http` server with a constant 302 on that core',
    figures: [
      guarded.redirect,
      most('99th percentile', 'p99Ratio', 1.3),
      shown('redirects', 'requestsPerSecond', 'a second'),
      shown('baseline', 'baselineRequestsPerSecond', 'a second'),
      most('processor time of a page to that of a redirect', 'page.cpuRatio', 3),
      shown(
        "redirects while the scans are taken in on the generator's core, to the baseline",
        'besideIngest.ratio',
        '×',
      ),
      shown('99th percentile then', 'besideIngest.p99Ratio', '×'),
      noErrors,
    ],
  },
  {
    bench: 'redirect --cold',
    work: 'redirects of codes picked at random, most of which are not in memory, `front` alone on a core',
    baseline:
      'a bare `node:http` server on that core that reads the same row by its index, with the same driver',
    figures: [
      shown('codes', 'sqlite.codes'),
      least('redirects a second, SQLite', 'sqlite.ratio', 0.6),
      shown('share that asked SQLite', 'sqlite.missShare'),
      least('redirects a second, PostgreSQL', 'postgresql.ratio', 0.6),
      shown('share that asked PostgreSQL', 'postgresql.missShare'),
      most('errors, SQLite', 'sqlite.errors', 0, ''),
      most('errors, PostgreSQL', 'postgresql.errors', 0, ''),
    ],
  },
  {
    bench: 'redirect --busy',
    work: '1,000 redirects a second beside imports of 10,000 rows, 50 PNG pictures a second and figures of a year',
    baseline: 'the same service with nothing else to do',
    figures: [
      most('99th percentile', 'ratio', 2),
      shown('99th percentile, nothing else to do', 'p99Ms.idle', 'ms'),
      shown('99th percentile, busy', 'p99Ms.busy', 'ms'),
      shown('imports meanwhile', 'imports'),
      shown('figures asked for meanwhile', 'analytics'),
      shown('pictures meanwhile', 'pictures'),
      noErrors,
    ],
    unmet:
      'Every core has work then, and a redirect that comes waits until the system gives `front` one; with nothing else to do a core is free.',
  },
  {
    bench: 'redirect --processes',
    work: 'processor time of a redirect with `FRONT_PROCESSES=2`, each on a core',
    baseline: 'one process',
    figures: [most('processor time', 'cpuRatio', 1.15), noErrors],
  },
  {
    bench: 'api --through',
    work: 'reads of one code through `front`',
    baseline: 'the same reads straight from the socket of `api`',
    figures: [
      least('reads a second, 16 connections', 'ratio', 0.5),
      most('a read takes longer, one connection', 'addedMs', 0.6, 'ms'),
      noErrors,
    ],
  },
  {
    bench: 'ingest',
    work: 'a journal to rows in the scan store, with counters and positions, worker and engine on one core',
    baseline: "the engine's own insert of the same rows, ready-made, on that core",
    figures: [
      shown('scans', 'scans'),
      least('rows a second', 'ratio', 0.25),
      least('scans', 'scansPerSecond', 40_000, 'a second'),
      most('memory of the worker grows by', 'memoryMb', 150, 'MB'),
      shown("rows of the engine's own insert", 'bareRowsPerSecond', 'a second'),
      shown('processor time of a scan in the worker', 'cpuUsPerScan.worker', 'µs'),
      shown('in the engine', 'cpuUsPerScan.engine', 'µs'),
    ],
    unmet:
      'Worker and engine keep the core busy all the time, about half of it each; a core on which the bare insert is quicker takes in more scans as well.',
  },
  {
    bench: 'analytics',
    work: 'all figures of a year by day, of a code with a tenth of the scans and of the organization with all of them',
    baseline:
      'the same breakdowns over the same scans in SQLite and in PostgreSQL, with the indexes that fit',
    figures: [
      shown('scans', 'scans'),
      least('speed for the code, to SQLite', 'code.sqlite.ratio', 50),
      least('speed for the code, to PostgreSQL', 'code.postgresql.ratio', 50),
      guarded.analytics,
      least('speed for the organization, to PostgreSQL', 'organization.postgresql.ratio', 50),
      most('time for the code', 'code.ms', 100, 'ms'),
      most('time for the organization', 'organization.ms', 250, 'ms'),
    ],
  },
  {
    bench: 'analytics --growth',
    work: 'the same of 100,000 to 50,000,000 scans: how time rises, as a power of the scans; 0.5 is as the square root',
    baseline: 'itself',
    figures: [
      most('code', 'code.exponent', 0.5, ''),
      most('organization', 'organization.exponent', 0.5, ''),
      shown('steepest between two sizes, code', 'code.steepest'),
      shown('organization', 'organization.steepest'),
    ],
  },
  {
    bench: 'memory',
    work: 'resident memory of all processes together; pages that several of them share are counted once (Pss)',
    baseline: 'a bound',
    figures: [
      most('idle', 'stages.idle.total.pssMb', 700, 'MB'),
      shown('codes', 'codes'),
      shown('all with these codes', 'stages.with codes.total.pssMb', 'MB'),
      shown('scans', 'scans'),
      shown('all with these scans as well', 'stages.with scans.total.pssMb', 'MB'),
      shown('scans taken', 'scansPerSecond', 'a second'),
      shown('all meanwhile', 'stages.under load.total.pssMb', 'MB'),
      shown('all idle, with what they share counted for each of them,', 'stages.idle.total.rssMb', 'MB'),
      shown('of which `main`', 'stages.idle.main.pssMb', 'MB'),
      shown('`front`', 'stages.idle.front.pssMb', 'MB'),
      shown('`api`', 'stages.idle.api.pssMb', 'MB'),
      shown('`worker`', 'stages.idle.worker.pssMb', 'MB'),
      shown('`engine`', 'stages.idle.engine.pssMb', 'MB'),
    ],
  },
  {
    bench: 'memory --hour',
    work: 'memory of all processes together in the last quarter of a long run of 2,000 scans a second',
    baseline: 'its second quarter',
    figures: [
      most('memory', 'growth', 1.05),
      shown('grown by', 'grownMb', 'MB'),
      shown('seconds', 'seconds'),
      noErrors,
    ],
  },
  {
    bench: 'start',
    work: '`npm start`, with everything installed, to the first 200 of `/readyz`',
    baseline: 'a bound, and a bare `node:http` server to its first answer',
    figures: [
      most('in an empty data directory', 'emptyMs', 2_500, 'ms'),
      shown('in an empty directory, to the bare server', 'emptyRatio', '×'),
      shown('codes', 'codes'),
      shown('scans', 'scans'),
      most('with codes and scans', 'filledMs', 4_000, 'ms'),
      shown('with these, to the bare server', 'filledRatio', '×'),
    ],
  },
  {
    bench: 'api',
    work: 'creates and reads by four callers, lists by one, in an organization of many codes; calls a second',
    baseline: 'in an organization of 1,000 codes: how many times as many calls',
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
      least('rows a second, the worse catalogue', 'ratio', 0.3),
      most('SQLite', 'sqlite.seconds', 3, 's'),
      most('PostgreSQL', 'postgresql.seconds', 5, 's'),
    ],
  },
  {
    bench: 'picture',
    work: 'a picture from its text to its bytes',
    baseline: '`qrcode`, and for styled ones `qr-code-styling` with a DOM: the same content, level and size',
    figures: [
      least('plain SVG', 'figures.plain SVG.ratio', 5),
      shown('plain SVG, version and mask known to both', 'figures.plain SVG, kept.ratio', '×'),
      least('plain PNG, 512 pixels', 'figures.plain PNG 512.ratio', 10),
      least('plain PNG, 2,048 pixels', 'figures.plain PNG 2048.ratio', 10),
      least('styled SVG', 'figures.styled SVG.ratio', 50),
      shown('styled PNG, 1,024 pixels', 'figures.styled PNG 1024.ratio', '×'),
      most('a style that was never seen, gradient and frame', 'check.gradient and frame.firstMs', 60, 'ms'),
    ],
  },
  {
    bench: 'events',
    work: 'redirects at 1,000 a second with a webhook and 200 readers of the live stream, and how soon these have a scan',
    baseline: 'the same redirects while nobody takes events',
    figures: [
      most('99th percentile of redirects', 'ratio', 2),
      most('99th percentile to a reader', 'streamP99Ms', 2_000, 'ms'),
      most('99th percentile to the webhook', 'webhookP99Ms', 2_000, 'ms'),
    ],
  },
  {
    bench: 'dashboard',
    work: 'every page of the dashboard, from its address to when it can be used, the browser on the same machine',
    baseline: 'a bound',
    figures: [
      shown('codes', 'codes'),
      shown('scans', 'scans'),
      most('the slowest page', 'slowestMs', 1_500, 'ms'),
    ],
  },
]

/** The figure in a result; undefined where the bench has left none. */
export function figureOf(result: object, path: string): number | undefined {
  const value = path
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], result)
  return typeof value === 'number' ? value : undefined
}

/** Whether a figure keeps what was promised; undefined when nothing was, or the bench has left none. */
export function isMet(result: object, { path, aim }: Figure): boolean | undefined {
  const value = figureOf(result, path)
  if (aim === undefined || value === undefined) return undefined
  return 'atLeast' in aim ? value >= aim.atLeast : value <= aim.atMost
}
