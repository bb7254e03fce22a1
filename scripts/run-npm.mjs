// Shared by the scripts that run first: plain JavaScript for any Node on the machine.
import process from 'node:process'
import { runChild } from './run-child.mjs'

/** Installs the packages of the lockfile in `cwd`. Returns whether npm succeeded. */
export function installPackages(args, { cwd }) {
  // Packages' own scripts are disabled. None is needed, and npm would compile SQLite, although its
  // package contains the binary (with a lockfile npm ignores the package's "gypfile": false).
  const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...args]
  const npm = process.env.npm_execpath
  return npm === undefined
    ? runChild('npm', words, { cwd })
    : runChild(process.execPath, [npm, ...words], { cwd })
}
