// The entry of every process. Plain JavaScript without new syntax or static imports of new names, so that an old Node
// gets as far as the message below.
import { isOldNode, nodeVersionMin } from './node-version.mjs'

if (isOldNode(process.version)) {
  process.stderr.write(
    `everscan: Node ${nodeVersionMin.join('.')} or later is needed, and this is ${process.version}. ` +
      'Use ./everscan start, which brings its own.\n',
  )
  process.exitCode = 1
} else void run()

async function run() {
  const { enableCompileCache } = await import('node:module')
  const { fileURLToPath } = await import('node:url')
  // Where packages are, if that can be written. What Node makes of the sources is kept before the first of them is
  // read: what strips types takes each process some 14 MB (measured), as soon as there is a single file to strip.
  enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)))
  await import('./main.ts')
}
