import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..', '..', '..')

/** `libraries`: the folder with those of another architecture. */
export type Processor = { emulator: 'qemu-x86_64' | 'qemu-aarch64'; cpu: string; libraries?: string }

/** QEMU before this version places the stack of signal handlers wrongly, of which Node dies. */
const versionMin = [8, 1]
const install =
  'apt-get install qemu-user (8.1 or later: Debian 12 has it in bookworm-backports), and for arm64 libc6-arm64-cross libstdc++6-arm64-cross'

/**
 * Returns the words that run Node on another processor. Each process that Node forks runs on it,
 * too: in every one, `process.execPath` is a script in `dir` that starts the emulator. Throws an
 * Error that says what to install.
 */
export function nodeOn(
  { emulator, cpu, libraries }: Processor,
  { node, dir }: { node: string; dir: string },
): [program: string, ...options: string[]] {
  const { stdout, error } = spawnSync(emulator, ['--version'], { encoding: 'utf8' })
  assert.equal(error, undefined, `${emulator} is missing: ${install}`)
  const [, major = 0, minor = 0] = (/ (\d+)\.(\d+)/.exec(stdout) ?? []).map(Number)
  const isNew = major > versionMin[0]! || (major === versionMin[0] && minor >= versionMin[1]!)
  assert.ok(isNew, `${emulator} is ${major}.${minor}: ${install}`)
  assert.ok(libraries === undefined || existsSync(libraries), `${libraries} is missing: ${install}`)

  const program = join(dir, `node-${cpu}`)
  const words = [emulator, '-cpu', cpu, ...(libraries === undefined ? [] : ['-L', libraries]), node]
  writeFileSync(program, `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`)
  chmodSync(program, 0o755)
  const preload = join(dir, `${cpu}.cjs`)
  writeFileSync(preload, `process.execPath = ${JSON.stringify(program)}\n`)
  return [program, '--require', preload]
}

/**
 * Makes an installation for arm64 in a folder: the sources of this one with its bundle and
 * dashboard, and the packages for running from the registry.
 */
export function installForArm64(folder: string): void {
  const listed = execFileSync('git', ['ls-files', '-z', '--', ':!docs', ':!integrations'], { cwd: root })
  const sources = listed
    .toString()
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(root, path)))
  for (const path of [...sources, join('server', 'dist'), join('web', 'dist')]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    // A bundle is current if no source is newer.
    cpSync(join(root, path), join(folder, path), { recursive: true, preserveTimestamps: true })
  }
  const target = ['--cpu=arm64', '--os=linux', '--libc=glibc']
  const parts = ['--omit=dev', '--include=optional', '--workspace=server', '--include-workspace-root']
  execFileSync(
    'npm',
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...target, ...parts],
    {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
}
