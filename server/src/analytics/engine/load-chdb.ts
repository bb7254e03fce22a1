import type * as chdb from 'chdb'
import { execFile } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { errorMessage, FatalError } from '../../errors.ts'

/** It can read the stores of earlier releases. In development it is a package of ours. */
export const chdbVersion = '3.4.0'

export type Chdb = typeof chdb

/** The way without chDB. */
const otherWay =
  'Or make a copy with the release that wrote the scans (./everscan backup), and restore it with this one (./everscan restore FILE).'

/** Returns chDB, from a folder of packages if it is not among ours. Throws a `FatalError`. */
export async function loadChdb(packagesIn: string): Promise<Chdb> {
  try {
    return isOurs() ? await import('chdb') : createRequire(join(packagesIn, 'package.json'))('chdb')
  } catch (error) {
    throw new FatalError(
      `chDB, which reads the embedded scan store of earlier releases, does not run here (${process.platform} ${process.arch}; it needs Linux with glibc, ` +
        `or macOS, and a processor with AVX2). ${otherWay} (${errorMessage(error).split('\n')[0]})`,
      { cause: error },
    )
  }
}

/**
 * Calls `work` while chDB is among the packages: ours, or in a folder into which npm installs it
 * meanwhile. Throws a `FatalError` if npm cannot.
 */
export async function withChdb<Result>(
  packagesIn: string,
  { onInstall, work }: { onInstall: () => void; work: () => Promise<Result> },
): Promise<Result> {
  if (isOurs()) return await work()
  try {
    onInstall()
    await install(packagesIn)
    return await work()
  } finally {
    await rm(packagesIn, { recursive: true, force: true })
  }
}

async function install(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const words = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund']
  try {
    await promisify(execFile)('npm', [...words, `chdb@${chdbVersion}`])
  } catch (error) {
    throw new FatalError(
      `npm could not install chdb@${chdbVersion}, which reads the embedded scan store of earlier releases: npm has to be on the PATH, and the registry of packages to be reached. ${otherWay} (${errorMessage(error).split('\n').at(-1)})`,
      { cause: error },
    )
  }
}

function isOurs(): boolean {
  try {
    createRequire(import.meta.url).resolve('chdb')
    return true
  } catch {
    return false
  }
}
