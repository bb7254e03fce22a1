// The entry point of every process. Plain JavaScript without new syntax, and without static imports
// of new names, so that an old Node reaches the message below.
import { isOldNode, nodeVersionMin } from './node-version.mjs'

if (isOldNode(process.version)) {
  process.stderr.write(
    `everscan: expected Node ${nodeVersionMin.join('.')} or later, got ${process.version}. ` +
      'Use ./everscan start, which brings its own.\n',
  )
  process.exitCode = 1
} else void run()

async function run() {
  const { enableCompileCache } = await import('node:module')
  const { fileURLToPath } = await import('node:url')
  // The cache is beside the packages, if that folder is writable. It must be enabled before the
  // first source is read: the type stripper costs each process about 14 MB (measured) as soon as it
  // strips a single file.
  enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)))
  await import('./use-packed-packages.mjs')
  await import('./main.ts')
}
