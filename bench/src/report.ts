import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aims, figureOf, isMet, type Aim, type Figure } from './aims.ts'
import { lineChart, type Chart, type Series } from './line-chart.ts'
import { keptResult, type KeptResult } from './results.ts'

const docs = join(import.meta.dirname, '..', '..', 'docs')
const chartPrefix = 'performance-'

/**
 * Writes `docs/performance.md` and its charts from the results that benches have left; benches are not run. Gives the commands that
 * would fill what is missing.
 */
export function writeReport(): { missing: string[] } {
  const kept = aims.map((aim) => ({ aim, result: keptResult(aim.bench) }))
  const there = kept.flatMap(({ aim, result }) => (result === undefined ? [] : [{ aim, result }]))
  const missing = kept.flatMap(({ aim, result }) => (result === undefined ? [commandOf(aim)] : []))
  for (const file of readdirSync(docs))
    if (file.startsWith(chartPrefix) && file.endsWith('.svg')) rmSync(join(docs, file))
  const pictures = Object.entries(chartsOf(there)).map(([name, chart]) => {
    const file = `${chartPrefix}${name}.svg`
    writeFileSync(join(docs, file), lineChart(chart))
    return `![${chart.title}](${file})`
  })
  const page = [
    '# Performance',
    '',
    'Written by `npm run bench -- --report` from what the last runs of `npm run bench` left; no figure here was written by hand. Ours and what it',
    'stands against run in turn in the same run, and of several rounds the middle one counts. `×` is how many times: as many a second, as fast, as long or as much.',
    '',
    ...machinesOf(there),
    '',
    '| Bench | Work | Against | Figure | Aim | Here | Met |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...there.flatMap(({ aim, result }) => rowsOf(aim, result)),
    ...there.flatMap(({ aim, result }) => obstacleOf(aim, result)),
    '',
    '## What these are of',
    '',
    ...there.map(({ aim, result }) => detailsOf(aim, result)),
    '',
    ...(missing.length === 0 ? [] : ['Not measured yet:', '', ...missing.map((one) => `- \`${one}\``), '']),
    ...(pictures.length === 0
      ? []
      : ['## Growth', '', 'Both axes are by powers of ten.', '', ...pictures.flatMap((one) => [one, ''])]),
  ]
  writeFileSync(join(docs, 'performance.md'), page.join('\n'))
  return { missing }
}

type Measured = { aim: Aim; result: KeptResult }

/** One machine, but where results were brought from another. */
function machinesOf(there: readonly Measured[]): string[] {
  const machines = Map.groupBy(there, ({ result: { machine } }) => {
    const { cpu, cores, memoryGb, system, node } = machine
    return `${cpu}, ${cores} cores, ${memoryGb} GB of memory, ${system}, Node ${node}`
  })
  return [...machines].map(([machine, benches]) => {
    const names = machines.size === 1 ? '' : `: ${benches.map(({ aim }) => `\`${aim.bench}\``).join(', ')}`
    return `Measured on ${machine}${names}.`
  })
}

/** The figures that something was promised for. */
function rowsOf({ bench, work, baseline, figures }: Aim, { result, quick }: KeptResult): string[] {
  const promised = figures.filter(({ aim }) => aim !== undefined)
  return promised.map((figure, index) => {
    const isKept = isMet(result, figure)
    const met = isKept === undefined ? '' : isKept ? 'yes' : '**no**'
    const first = index === 0 ? [`\`${bench}\`${quick ? ' (quick)' : ''}`, work, baseline] : ['', '', '']
    return `| ${[...first, figure.what, aimText(figure), valueText(result, figure), met].join(' | ')} |`
  })
}

/** What stands in the way of a bench whose figures are not all met. */
function obstacleOf({ bench, figures, unmet }: Aim, { result }: KeptResult): string[] {
  const isMissed = figures.some((figure) => isMet(result, figure) === false)
  return unmet !== undefined && isMissed ? ['', `\`${bench}\` is not met. ${unmet}`] : []
}

/** When a bench ran, and its figures besides those of the table. */
function detailsOf({ bench, figures }: Aim, { result, date, quick }: KeptResult): string {
  const run = `\`${bench}\`, ${date.slice(0, 10)}${quick ? ', **quick: small sizes and few rounds**' : ''}`
  const beside = figures.filter(({ aim }) => aim === undefined)
  if (beside.length === 0) return `- ${run}.`
  return `- ${run}: ${beside.map((figure) => `${figure.what} ${valueText(result, figure)}`).join('; ')}.`
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
type Cold = {
  points: { codes: number; requestsPerSecond: number; baselineRequestsPerSecond: number }[]
}
type Calls = { smallPerSecond: number; perSecond: number }

function chartsOf(there: readonly Measured[]): Record<string, Chart> {
  const results = Object.fromEntries(there.map(({ aim, result }) => [aim.bench, result.result]))
  const charts: Record<string, Chart> = {}
  const growth = results['analytics --growth'] as { code: Growth; organization: Growth } | undefined
  if (growth !== undefined) charts['analytics-growth'] = growthChart(growth)
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

function growthChart({ code, organization }: { code: Growth; organization: Growth }): Chart {
  const line = (name: string, { points }: Growth): Series => ({
    name,
    points: points.map(({ scans, ms }) => [scans, ms]),
  })
  const [first] = code.points
  const root: Series = {
    name: 'as the square root',
    dashed: true,
    points: code.points.map(({ scans }) => [
      scans,
      (first?.ms ?? 1) * Math.sqrt(scans / (first?.scans ?? scans)),
    ]),
  }
  return {
    title: 'Figures of a year, as scans grow',
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
    title: 'Redirects of codes picked at random',
    xLabel: 'codes',
    yLabel: 'redirects a second',
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
    title: `The interface, as an organization grows (${catalogue})`,
    xLabel: 'codes of the organization',
    yLabel: 'calls a second',
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
