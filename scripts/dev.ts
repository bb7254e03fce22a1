// `npm run dev`: runs the service with debug logs and restarts it when a source changes.
import { spawn } from 'node:child_process'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const watched = ['contract/src', 'qr/src', 'pages/src', 'server/src'].map(
  (path) => `--watch-path=${join(root, path)}`,
)
// The bundle of the server is only for unchanged sources, so a new time has these run themselves.
const now = new Date()
utimesSync(join(root, 'server', 'src', 'main.ts'), now, now)
const child = spawn(process.execPath, [...watched, '--watch-preserve-output', 'server/src/main.mjs'], {
  cwd: root,
  stdio: 'inherit',
  env: { LOG_LEVEL: 'debug', ...process.env },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => {
  process.exitCode = code ?? 1
})
