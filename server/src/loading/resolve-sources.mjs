// For processes that run sources: services after a change, and tests. Import this file before them.
import { registerHooks } from 'node:module'
import { bundledPackages } from './current-bundle.mjs'

// Packages of many small files cost a process 140 ms at its start or more (measured). The bundle
// has each of them as a few files.
const packages = bundledPackages()
// A relative import names a source with its extension, so it needs none of the look-ups by which
// Node would find it.
const relativeSource = /^\.\.?\/.*\.ts$/

registerHooks({
  resolve: (specifier, context, next) => {
    const url = packages.get(specifier)
    if (url !== undefined) return { url, format: 'module', shortCircuit: true }
    if (relativeSource.test(specifier) && context.parentURL?.endsWith('.ts') === true)
      return { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
    return next(specifier, context)
  },
})
