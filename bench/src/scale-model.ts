// `node bench/src/scale-model.ts` writes docs/scaling.md: how far the measured parts carry,
// computed from bench/results. It measures nothing itself.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readResult } from './results.ts'

/** Measured costs. Times are of one processor core. */
export type Costs = {
  /** Microseconds of a redirect in `front`, including its line in the journal. */
  frontUs: number
  /** Microseconds of a scan in the worker. */
  workerUs: number
  /** Scans per second of the one worker of a machine. It waits while the store inserts. */
  workerPerSecond: number
  /** Microseconds of a scan in the scan store. */
  storeUs: number
  /** Milliseconds of figures of an organization with `figuresScans` scans. */
  figuresMs: number
  figuresScans: number
  /** Figures take this power of the number of scans. */
  figuresExponent: number
  /** Bytes of a scan on the disk of the scan store. */
  rowBytes: number
  projectionBytes: number
  firstScanBytes: number
}

/** The processors for a number of scans per second. */
export type Sizing = { front: number; worker: number; store: number; machines: number }

/** Plan with this share of what was measured: scans come in waves. */
const loadMax = 0.5
const rates = [100, 1_000, 10_000, 100_000, 1_000_000]
const totals = [10_000_000, 100_000_000, 1_000_000_000]

/** Returns the cores that each part needs, and the machines, each with one worker. */
export function sizingOf(costs: Costs, scansPerSecond: number): Sizing {
  const { frontUs, workerUs, storeUs, workerPerSecond } = costs
  const cores = (us: number): number => (scansPerSecond * us) / 1_000_000 / loadMax
  return {
    front: cores(frontUs),
    worker: cores(workerUs),
    store: cores(storeUs),
    machines: Math.ceil(scansPerSecond / workerPerSecond / loadMax),
  }
}

/** Returns the scans per second at which one core of a part is busy. */
export function perCore(us: number): number {
  return 1_000_000 / us
}

/** Estimates the milliseconds of figures of an organization, beyond the measured sizes. */
export function figuresMsOf({ figuresMs, figuresScans, figuresExponent }: Costs, scans: number): number {
  return figuresMs * (scans / figuresScans) ** figuresExponent
}

/** Returns the bytes of scans on the disk of one replica of the scan store. */
export function diskBytesOf({ rowBytes, projectionBytes, firstScanBytes }: Costs, scans: number): number {
  return scans * (rowBytes + projectionBytes + firstScanBytes)
}

/** Reads the costs from the results of the benches. Throws if one of them is missing. */
export function readCosts(): Costs {
  return {
    frontUs: figure('redirect --processes', 'cpuUs', 'two'),
    workerUs: figure('ingest', 'cpuUsPerScan', 'worker'),
    storeUs: figure('ingest', 'cpuUsPerScan', 'engine'),
    workerPerSecond: figure('ingest', 'scansPerSecond'),
    figuresMs: figure('analytics --growth', 'organization', 'points', 3, 'ms'),
    figuresScans: figure('analytics --growth', 'organization', 'points', 3, 'scans'),
    figuresExponent: figure('analytics --growth', 'organization', 'steepest'),
    rowBytes: figure('disk', 'rowBytes'),
    projectionBytes: figure('disk', 'projectionBytes'),
    firstScanBytes: figure('disk', 'firstScanBytes'),
  }
}

/** Returns a number of a saved result, at names and places. */
function figure(bench: string, ...path: readonly (string | number)[]): number {
  const saved: unknown = readResult(bench)?.result
  const value = path.reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], saved)
  if (typeof value !== 'number') throw new Error(`bench/results has no ${path.join('.')} of ${bench}`)
  return value
}

/** Returns the page docs/scaling.md. */
export function scalingPage(costs: Costs): string {
  const parts: [string, number][] = [
    ['`front`', costs.frontUs],
    ['`worker`', costs.workerUs],
    ['scan store', costs.storeUs],
  ]
  return [
    '# From one machine to a million scans a second',
    '',
    '`node bench/src/scale-model.ts` computes this page from `bench/results`. It is arithmetic: nothing here',
    'beyond one machine was run. [performance.md](performance.md) has the measurements.',
    '',
    '## One core',
    '',
    table(
      ['Part', 'Microseconds of a scan', 'Scans per second of one core'],
      parts.map(([name, us]) => [name, us.toFixed(1), whole(perCore(us))]),
    ),
    '',
    'A `front` uses one core, and FRONT_PROCESSES adds more. A machine has one `worker`, which waits while',
    `the scan store inserts, and saturates first: at ${whole(costs.workerPerSecond)} scans per second. At a higher rate, scans`,
    'wait in the journal, and redirects go on. The results are of two kinds of machines with two cores.',
    '',
    '## How many of what',
    '',
    `Cores at a load of ${loadMax * 100} %. Every replica of the scan store needs the cores of its column.`,
    '',
    table(
      ['Scans per second', '`front` cores', '`worker` cores', 'scan store cores', 'Machines with Everscan'],
      rates.map((rate) => {
        const { front, worker, store, machines } = sizingOf(costs, rate)
        return [whole(rate), front.toFixed(2), worker.toFixed(2), store.toFixed(2), whole(machines)]
      }),
    ),
    '',
    'The scan store is one shard, so its column has to fit one server. That inserts of many workers scale',
    'with its cores is assumed, not measured.',
    '',
    '## Figures of many scans',
    '',
    `A year of an organization, from ${whole(costs.figuresMs)} ms with ${whole(costs.figuresScans)} scans on two cores, growing as`,
    `steeply as it ever did in the bench (exponent ${costs.figuresExponent}):`,
    '',
    table(
      ['Scans of the organization', 'Milliseconds'],
      totals.map((scans) => [whole(scans), whole(figuresMsOf(costs, scans))]),
    ),
    '',
    `To take in a billion scans costs ${((costs.workerUs * 1e9) / 3.6e9).toFixed(1)} hours of a core in workers and ${((costs.storeUs * 1e9) / 3.6e9).toFixed(1)} in the scan`,
    'store.',
    '',
    '## Disk',
    '',
    `Bytes of a scan in the merged scan store, by the bench \`disk\`: ${costs.rowBytes.toFixed(1)} for the scan, ${costs.projectionBytes.toFixed(1)} for the`,
    `projections that figures read, ${costs.firstScanBytes.toFixed(1)} for first scans. Three scans in four of the bench are a visitor's`,
    'first; with fewer, first scans take less. Merges need as much again as the largest part, and each replica',
    'has all of it.',
    '',
    table(
      ['Scans', 'GB on the disk of each replica'],
      totals.map((scans) => [whole(scans), (diskBytesOf(costs, scans) / 1e9).toFixed(1)]),
    ),
    '',
  ].join('\n')
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

/** Returns a table as the formatter of the documents writes it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, at) => Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join(
    '\n',
  )
}

if (import.meta.main) {
  const path = join(import.meta.dirname, '..', '..', 'docs', 'scaling.md')
  const page = scalingPage(readCosts())
  writeFileSync(path, page)
  process.stdout.write(page)
}
