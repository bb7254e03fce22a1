// `npm run bench -- redirect [--quick]`: one bench by name. Each ends with one JSON line.
import { benchAnalytics, benchAnalyticsGrowth } from './analytics.ts'
import { benchApi } from './api.ts'
import { benchDashboard } from './dashboard.ts'
import { benchEvents } from './events.ts'
import { benchImport } from './import.ts'
import { benchIngest } from './ingest.ts'
import { benchPicture } from './picture.ts'
import { benchRedirect } from './redirect.ts'

const benches: Readonly<Record<string, (options: { quick: boolean }) => Promise<object>>> = {
  analytics: benchAnalytics,
  'analytics-growth': benchAnalyticsGrowth,
  api: benchApi,
  dashboard: benchDashboard,
  events: benchEvents,
  import: benchImport,
  ingest: benchIngest,
  picture: benchPicture,
  redirect: benchRedirect,
}

const words = process.argv.slice(2)
const name = words.find((word) => !word.startsWith('--'))
const bench = name === undefined ? undefined : benches[name]
if (bench === undefined) {
  console.error(`usage: npm run bench -- <${Object.keys(benches).join('|')}> [--quick]`)
  process.exitCode = 1
} else {
  const result = await bench({ quick: words.includes('--quick') })
  console.log(JSON.stringify({ bench: name, ...result }))
}
