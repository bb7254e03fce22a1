// The entry point of every command, and of every process that does not run the bundle. Plain
// JavaScript without new syntax, and without static imports of new names, so that an old Node
// reaches the message below.
import { isOldNode, nodeVersionMin } from './loading/node-version.mjs'

if (isOldNode(process.version)) {
  process.stderr.write(
    `everscan: expected Node ${nodeVersionMin.join('.')} or later, got ${process.version}. ` +
      'Use ./everscan start, which brings its own.\n',
  )
  process.exitCode = 1
} else void run()

async function run() {
  await import('./loading/compile-cache.mjs')
  const { currentBundle } = await import('./loading/current-bundle.mjs')
  const bundle = currentBundle()
  if (bundle === undefined) await import('./loading/resolve-sources.mjs')
  await import(bundle ?? './main.ts')
}
