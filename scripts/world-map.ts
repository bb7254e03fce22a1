// Writes web/src/analytics/world-shapes.json, the countries as paths of a map, from Natural Earth's
// public-domain shapes. Run it again after an update of world-atlas. The shapes are projected and
// rounded here, so that a browser needs neither the globe's shapes nor the projection.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { geoCentroid, geoNaturalEarth1, geoPath } from 'd3-geo'
import { iso31661 } from 'iso-3166'
import { feature } from 'topojson-client'

const target = join(import.meta.dirname, '..', 'web', 'src', 'analytics', 'world-shapes.json')
/** Coordinates are whole units. On a screen a unit is about half a pixel. */
const [width, height] = [1200, 590]

/** Shapes without an ISO 3166-1 number, and the code of their scans. */
const withoutNumber: Readonly<Record<string, string>> = {
  Kosovo: 'XK',
  'N. Cyprus': 'CY',
  Somaliland: 'SO',
}
/** Antarctica has no scans and would take a fifth of the height. */
const omitted = 'AQ'

type Atlas = Parameters<typeof feature>[0]

function countriesOf(resolution: '110m' | '50m') {
  const path = fileURLToPath(import.meta.resolve(`world-atlas/countries-${resolution}.json`))
  const atlas = JSON.parse(readFileSync(path, 'utf8')) as Atlas
  const countries = atlas.objects['countries']
  if (countries === undefined) throw new Error('the atlas has no countries')
  const found = feature(atlas, countries)
  const features = found.type === 'FeatureCollection' ? found.features : [found]
  return features.flatMap((shape) => {
    const { name } = shape.properties as { name: string }
    const known = iso31661.find(({ numeric }) => numeric === String(shape.id))?.alpha2 ?? withoutNumber[name]
    return known === undefined || known === omitted ? [] : [{ code: known, shape }]
  })
}

const coarse = countriesOf('110m')
const projection = geoNaturalEarth1().fitSize([width, height], {
  type: 'FeatureCollection',
  features: coarse.map(({ shape }) => shape),
})
const path = geoPath(projection).digits(0)

/**
 * Returns the same path in relative steps, which have shorter numbers, without empty steps and
 * degenerate shapes.
 */
function toRelativeSteps(text: string): string {
  return text
    .split('Z')
    .map((ring) =>
      ring
        .slice(1)
        .split('L')
        .map((point) => point.split(',').map(Number)),
    )
    .map((points) => points.filter(([x, y], at) => x !== points[at - 1]?.[0] || y !== points[at - 1]?.[1]))
    .filter((points) => points.length > 3)
    .map((points) => {
      const steps = points.slice(1).map(([x = 0, y = 0], at) => {
        const [fromX = 0, fromY = 0] = points[at] ?? []
        return `${x - fromX},${y - fromY}`
      })
      return `M${(points[0] ?? []).join(',')}l${steps.join(' ').replaceAll(/[ ,]-/g, '-')}z`
    })
    .join('')
}

const paths: Record<string, string> = {}
for (const { code, shape } of coarse) {
  const drawn = toRelativeSteps(path(shape) ?? '')
  if (drawn !== '') paths[code] = (paths[code] ?? '') + drawn
}
/** Countries too small for a shape, with their positions. */
const dots: Record<string, [x: number, y: number]> = {}
for (const { code, shape } of countriesOf('50m')) {
  const place = projection(geoCentroid(shape))
  if (paths[code] === undefined && place !== null) dots[code] ??= [Math.round(place[0]), Math.round(place[1])]
}

writeFileSync(target, `${JSON.stringify({ width, height, paths, dots })}\n`)
console.log(`${Object.keys(paths).length} countries, ${Object.keys(dots).length} dots: ${target}`)
