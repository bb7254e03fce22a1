/** A line of a chart, with a point for each size. A dashed line is a baseline. */
export type Series = { name: string; points: readonly (readonly [x: number, y: number])[]; dashed?: boolean }
export type Chart = { title: string; xLabel: string; yLabel: string; series: readonly Series[] }

const width = 640
const height = 300
const plot = { left: 60, right: 440, top: 40, bottom: 250 }
const labelPx = 15
/** Distinguishable in light and dark mode, and with most color vision deficiencies. */
const colors = {
  light: ['#1d4ed8', '#b45309', '#047857', '#a21caf', '#be123c'],
  dark: ['#93c5fd', '#fbbf24', '#6ee7b7', '#f0abfc', '#fda4af'],
}

/** Returns a chart as SVG with logarithmic axes, in the reader's light or dark mode. */
export function lineChart({ title, xLabel, yLabel, series }: Chart): string {
  const points = series.flatMap((one) => one.points)
  const x = axis(
    points.map(([value]) => value),
    plot.left,
    plot.right,
  )
  const y = axis(
    points.map(([, value]) => value),
    plot.bottom,
    plot.top,
  )
  const labelsPx = spreadLabels(series.map((one) => y.px(one.points.at(-1)?.[1] ?? 1)))
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<style>${style('light')} @media (prefers-color-scheme: dark) { ${style('dark')} }</style>`,
    `<text class="ink" x="${plot.left}" y="20" font-weight="600">${escaped(title)}</text>`,
    ...x.ticks.flatMap((value) => [
      `<line class="rule" x1="${x.px(value)}" y1="${plot.top}" x2="${x.px(value)}" y2="${plot.bottom}"/>`,
      `<text class="ink" x="${x.px(value)}" y="${plot.bottom + 18}" text-anchor="middle">${short(value)}</text>`,
    ]),
    ...y.ticks.flatMap((value) => [
      `<line class="rule" x1="${plot.left}" y1="${y.px(value)}" x2="${plot.right}" y2="${y.px(value)}"/>`,
      `<text class="ink" x="${plot.left - 8}" y="${y.px(value) + 4}" text-anchor="end">${short(value)}</text>`,
    ]),
    `<text class="ink" x="${(plot.left + plot.right) / 2}" y="${plot.bottom + 38}" text-anchor="middle">${escaped(xLabel)}</text>`,
    `<text class="ink" x="16" y="${(plot.top + plot.bottom) / 2}" text-anchor="middle" transform="rotate(-90 16 ${(plot.top + plot.bottom) / 2})">${escaped(yLabel)}</text>`,
    ...series.flatMap(({ name, points: linePoints, dashed = false }, index) => {
      const line = linePoints.map(([a, b]) => `${x.px(a)},${y.px(b)}`).join(' ')
      return [
        `<polyline class="s${index}" points="${line}" fill="none" stroke-width="2"${dashed ? ' stroke-dasharray="5 4"' : ''}/>`,
        ...linePoints.map(
          ([a, b]) => `<circle class="s${index} dot" cx="${x.px(a)}" cy="${y.px(b)}" r="3"/>`,
        ),
        `<text class="s${index} name" x="${plot.right + 12}" y="${(labelsPx[index] ?? 0) + 4}">${escaped(name)}</text>`,
      ]
    }),
    '</svg>',
    '',
  ].join('\n')
}

/** Returns a logarithmic scale with ticks at powers of ten, if few also at 2 and 5 times these. */
function axis(values: readonly number[], fromPx: number, toPx: number) {
  const [low, high] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))]
  const margin = Math.max(0.05, (high - low) * 0.08)
  const [from, to] = [low - margin, high + margin]
  const steps = to - from > 2.5 ? [1] : [1, 2, 5]
  const powers = Array.from({ length: Math.ceil(to) - Math.floor(from) + 1 }, (_, i) => Math.floor(from) + i)
  const ticks = powers
    .flatMap((power) => steps.map((step) => step * 10 ** power))
    .filter((value) => Math.log10(value) >= from && Math.log10(value) <= to)
  const px = (value: number) =>
    Math.round(fromPx + ((Math.log10(value) - from) / (to - from)) * (toPx - fromPx))
  return { px, ticks }
}

/** Returns the places of labels, moved down so that they don't overlap. */
function spreadLabels(preferred: readonly number[]): number[] {
  const placed = [...preferred]
  let lowest = Number.NEGATIVE_INFINITY
  for (const [index, px] of [...preferred.entries()].sort(([, a], [, b]) => a - b)) {
    lowest = Math.max(px, lowest + labelPx)
    placed[index] = lowest
  }
  return placed
}

function style(scheme: keyof typeof colors): string {
  const [ink, rule] = scheme === 'light' ? ['#374151', '#d1d5db'] : ['#d1d5db', '#4b5563']
  const lines = colors[scheme].map(
    (color, index) => `.s${index} { stroke: ${color} } .s${index}.dot, .s${index}.name { fill: ${color} }`,
  )
  return [`.ink { fill: ${ink} } .rule { stroke: ${rule} }`, ...lines, '.name { stroke: none }'].join(' ')
}

function short(value: number): string {
  if (value >= 1e6) return `${value / 1e6} M`
  if (value >= 1e3) return `${value / 1e3} k`
  return String(Number(value.toPrecision(1)))
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
