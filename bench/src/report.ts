import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Aim, Figure } from './aim-figures.ts'
import { aims, figureOf, isMet } from './aims.ts'
import { lineChart, type Chart, type Series } from './line-chart.ts'
import { readResult, type SavedResult } from './results.ts'

const docs = join(import.meta.dirname, '..', '..', 'docs')
const chartPrefix = 'performance-'

/**
 * Writes `docs/performance.md` and its charts from saved results, without running benches. Returns
 * the commands for missing results.
 */
export function writeReport(): { missing: string[] } {
  const results = aims.map((aim) => ({ aim, result: readResult(aim.bench) }))
  const measured = results.flatMap(({ aim, result }) => (result === undefined ? [] : [{ aim, result }]))
  const missing = results.flatMap(({ aim, result }) => (result === undefined ? [commandOf(aim)] : []))
  for (const file of readdirSync(docs))
    if (file.startsWith(chartPrefix) && file.endsWith('.svg')) rmSync(join(docs, file))
  const pictures = Object.entries(chartsOf(measured)).map(([name, chart]) => {
    const file = `${chartPrefix}${name}.svg`
    writeFileSync(join(docs, file), lineChart(chart))
    return `![${chart.title}](${file})`
  })
  const page = [
    '# Performance',
    '',
    'Written by `npm run bench -- --report` from the saved results of `npm run bench`; no figure was entered by hand. The service and its baseline',
    'take turns in the same run, and figures are medians of several rounds. `×` is a factor: times as many per second, as fast, as long or as much.',
    '',
    ...machinesOf(measured),
    '',
    '| Bench | Work | Baseline | Figure | Aim | Measured | Met |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...measured.flatMap(({ aim, result }) => rowsOf(aim, result)),
    ...measured.flatMap(({ aim, result }) => obstacleOf(aim, result)),
    '',
    '## Runs and further figures',
    '',
    ...measured.map(({ aim, result }) => detailsOf(aim, result)),
    '',
    ...(missing.length === 0 ? [] : ['Not measured yet:', '', ...missing.map((one) => `- \`${one}\``), '']),
    ...(pictures.length === 0
      ? []
      : ['## Growth', '', 'Both axes are logarithmic.', '', ...pictures.flatMap((one) => [one, ''])]),
  ]
  writeFileSync(join(docs, 'performance.md'), page.join('\n'))
  return { missing }
}

type Measured = { aim: Aim; result: SavedResult }

/** There is one machine, unless results come from another one. */
function machinesOf(measured: readonly Measured[]): string[] {
  const machines = Map.groupBy(measured, ({ result: { machine } }) => {
    const { cpu, cores, memoryGb, system, node } = machine
    return `${cpu}, ${cores} cores, ${memoryGb} GB of memory, ${system}, Node ${node}`
  })
  return [...machines].map(([machine, benches]) => {
    const names = machines.size === 1 ? '' : `: ${benches.map(({ aim }) => `\`${aim.bench}\``).join(', ')}`
    return `Measured on ${machine}${names}.`
  })
}

/** Returns the rows of the figures with an aim. */
function rowsOf({ bench, work, baseline, figures }: Aim, { result, quick }: SavedResult): string[] {
  const promised = figures.filter(({ aim }) => aim !== undefined)
  return promised.map((figure, index) => {
    const isReached = isMet(result, figure)
    const met = isReached === undefined ? '' : isReached ? 'yes' : '**no**'
    const first = index === 0 ? [`\`${bench}\`${quick ? ' (quick)' : ''}`, work, baseline] : ['', '', '']
    return `| ${[...first, figure.what, aimText(figure), valueText(result, figure), met].join(' | ')} |`
  })
}

/** Returns the obstacle of a bench that misses an aim. */
function obstacleOf({ bench, figures, unmet }: Aim, { result }: SavedResult): string[] {
  const isMissed = figures.some((figure) => isMet(result, figure) === false)
  return unmet !== undefined && isMissed ? ['', `\`${bench}\` misses an aim. ${unmet}`] : []
}

/** Returns the date of a run and its figures without an aim. */
function detailsOf({ bench, figures }: Aim, { result, date, quick }: SavedResult): string {
  const run = `\`${bench}\`, ${date.slice(0, 10)}${quick ? ', **quick: small sizes and few rounds**' : ''}`
  const withoutAim = figures.filter(({ aim }) => aim === undefined)
  if (withoutAim.length === 0) return `- ${run}.`
  return `- ${run}: ${withoutAim.map((figure) => `${figure.what} ${valueText(result, figure)}`).join('; ')}.`
}

function valueText(result: object, { path, unit }: Figure): string {
  const value = figureOf(result, path)
  return value === undefined ? 'not measured' : withUnit(value, unit)
}

function aimText({ aim, unit }: Figure): string {
  if (aim === undefined) return ''
  return 'atLeast' in aim ? `≥ ${withUnit(aim.atLeast, unit)}` : `≤ ${withUnit(aim.atMost, unit)}`
}

function withUnit(value: number, unit: Figure['unit']): string {
  const digits = Number.isInteger(value) ? 0 : value >= 100 ? 0 : value >= 10 ? 1 : 3
  const text = value.toLocaleString('en', { maximumFractionDigits: digits })
  return unit === '' ? text : `${text} ${unit}`
}

function commandOf({ bench }: Aim): string {
  return `npm run bench -- ${bench}`
}

type Growth = { points: { scans: number; ms: number }[] }
type InFiles = { points: { scans: number; ms: Record<string, number> }[] }
type Cold = {
  points: { codes: number; requestsPerSecond: number; baselineRequestsPerSecond: number }[]
}
type Calls = { smallPerSecond: number; perSecond: number }

function chartsOf(measured: readonly Measured[]): Record<string, Chart> {
  const results = Object.fromEntries(measured.map(({ aim, result }) => [aim.bench, result.result]))
  const charts: Record<string, Chart> = {}
  const growth = results['analytics --growth'] as { code: Growth; organization: Growth } | undefined
  if (growth !== undefined) charts['analytics-growth'] = growthChart(growth)
  const inFiles = results['scan-files --growth'] as InFiles | undefined
  if (inFiles !== undefined)
    charts['scan-files-growth'] = growthChart(
      { code: timesOf(inFiles, 'code'), organization: timesOf(inFiles, 'organization') },
      'Analytics of a year of scans in files',
    )
  const cold = results['redirect --cold'] as { sqlite: Cold; postgresql: Cold } | undefined
  if (cold !== undefined && cold.sqlite.points.length > 1) charts['redirect-cold'] = coldChart(cold)
  const api = results['api'] as
    | { size: number; sqlite: Record<string, Calls>; postgresql: Record<string, Calls> }
    | undefined
  if (api !== undefined) {
    charts['api-sqlite'] = apiChart('SQLite', api.size, api.sqlite)
    charts['api-postgresql'] = apiChart('PostgreSQL', api.size, api.postgresql)
  }
  return charts
}

function timesOf({ points }: InFiles, name: string): Growth {
  return { points: points.map(({ scans, ms }) => ({ scans, ms: ms[name] ?? Number.NaN })) }
}

function growthChart(
  { code, organization }: { code: Growth; organization: Growth },
  title = 'Analytics of a year by number of scans',
): Chart {
  const line = (name: string, { points }: Growth): Series => ({
    name,
    points: points.map(({ scans, ms }) => [scans, ms]),
  })
  const [first] = code.points
  const root: Series = {
    name: 'square root',
    dashed: true,
    points: code.points.map(({ scans }) => [
      scans,
      (first?.ms ?? 1) * Math.sqrt(scans / (first?.scans ?? scans)),
    ]),
  }
  return {
    title,
    xLabel: 'scans of the organization',
    yLabel: 'ms',
    series: [line('organization', organization), line('code with a tenth', code), root],
  }
}

function coldChart({ sqlite, postgresql }: { sqlite: Cold; postgresql: Cold }): Chart {
  const lines = (name: string, { points }: Cold): Series[] => [
    { name, points: points.map((point) => [point.codes, point.requestsPerSecond]) },
    {
      name: `bare, ${name}`,
      dashed: true,
      points: points.map((point) => [point.codes, point.baselineRequestsPerSecond]),
    },
  ]
  return {
    title: 'Redirects of random codes',
    xLabel: 'codes',
    yLabel: 'redirects per second',
    series: [...lines('SQLite', sqlite), ...lines('PostgreSQL', postgresql)],
  }
}

function apiChart(catalogue: string, size: number, calls: Record<string, Calls>): Chart {
  const names = {
    create: 'creates',
    read: 'reads',
    firstPage: 'first page',
    filtered: 'filtered',
    search: 'search',
  }
  return {
    title: `The API by size of the organization (${catalogue})`,
    xLabel: 'codes of the organization',
    yLabel: 'calls per second',
    series: Object.entries(names).flatMap(([kind, name]) => {
      const one = calls[kind]
      if (one === undefined) return []
      return [
        {
          name,
          points: [
            [1_000, one.smallPerSecond],
            [size, one.perSecond],
          ] as const,
        },
      ]
    }),
  }
}
