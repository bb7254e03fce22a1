// `npm run bench -- redirect [--cold] [--quick]` runs one bench by name. Each prints one JSON line
// at its end and saves it in `bench/results`. `--all` runs all benches; `--report` writes
// `docs/performance.md` from the saved results.
import { spawnSync } from 'node:child_process'
import { benchAnalytics, benchAnalyticsGrowth } from './analytics.ts'
import { benchSelected } from './analytics-selected.ts'
import { benchApi } from './api.ts'
import { benchApiThrough } from './api-through.ts'
import { benchCopies } from './copies.ts'
import { benchDashboard } from './dashboard.ts'
import { benchDisk } from './disk.ts'
import { benchEvents } from './events.ts'
import { benchHostile } from './hostile.ts'
import { benchImport } from './import.ts'
import { benchIngest } from './ingest.ts'
import { benchMemory, benchMemoryHour } from './memory.ts'
import { benchPicture } from './picture.ts'
import { benchRedirect } from './redirects/redirect.ts'
import { benchRedirectBusy } from './redirects/redirect-busy.ts'
import { benchRedirectCold } from './redirects/redirect-cold.ts'
import { benchRedirectDomains } from './redirects/redirect-domains.ts'
import { benchRedirectProcesses } from './redirects/redirect-processes.ts'
import { writeReport } from './report.ts'
import { benchRules } from './rules.ts'
import { saveResult } from './results.ts'
import { benchScanFiles } from './scan-files.ts'
import { benchScanFilesGrowth } from './scan-files/growth.ts'
import { benchStart } from './start.ts'
import { benchTls } from './tls.ts'
import { benchUserAgents } from './accuracy/user-agents.ts'
import { benchVisitors } from './accuracy/visitors.ts'

const benches: Readonly<Record<string, (options: { quick: boolean }) => Promise<object>>> = {
  redirect: benchRedirect,
  'redirect --cold': benchRedirectCold,
  'redirect --busy': benchRedirectBusy,
  'redirect --processes': benchRedirectProcesses,
  'redirect --domains': benchRedirectDomains,
  rules: benchRules,
  ingest: benchIngest,
  analytics: benchAnalytics,
  'analytics --selected': benchSelected,
  'analytics --growth': benchAnalyticsGrowth,
  api: benchApi,
  'api --through': benchApiThrough,
  memory: benchMemory,
  'memory --hour': benchMemoryHour,
  start: benchStart,
  import: benchImport,
  picture: benchPicture,
  events: benchEvents,
  dashboard: benchDashboard,
  copies: benchCopies,
  disk: benchDisk,
  'scan-files': benchScanFiles,
  'scan-files --growth': benchScanFilesGrowth,
  hostile: benchHostile,
  tls: benchTls,
  'user-agents': benchUserAgents,
  visitors: benchVisitors,
}

const words = process.argv.slice(2)
const quick = words.includes('--quick')
const name = words.filter((word) => word !== '--quick').join(' ')
const bench = benches[name]
if (name === '--all') {
  // Each bench has its own process, so that it starts without the memory of the one before.
  for (const one of Object.keys(benches)) {
    console.log(`-- ${one}`)
    const args = [import.meta.filename, ...one.split(' '), ...(quick ? ['--quick'] : [])]
    if (spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0) process.exitCode = 1
  }
} else if (name === '--report') {
  const { missing } = writeReport()
  console.log('wrote docs/performance.md')
  for (const command of missing) console.log(`not measured yet: ${command}`)
} else if (bench === undefined) {
  const names = Object.keys(benches).map((one) => `  npm run bench -- ${one} [--quick]`)
  console.error(
    [`usage:`, ...names, '  npm run bench -- --all [--quick]', '  npm run bench -- --report'].join('\n'),
  )
  process.exitCode = 1
} else {
  const result = { bench: name, ...(await bench({ quick })) }
  saveResult(name, result, { quick })
  console.log(JSON.stringify(result))
}
