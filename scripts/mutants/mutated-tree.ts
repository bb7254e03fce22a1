// A copy of the sources for faults: its files are hard links until one is written.
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  globSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** `temporary` is a folder for what its suites leave. `write` takes a path relative to the root. */
export type TreeCopy = {
  folder: string
  temporary: string
  write: (path: string, text: string) => void
  remove: () => void
}

/** Copies the files that git has or would take, and what the build made of them. */
export function copyTree(root: string): TreeCopy {
  const top = mkdtempSync(join(tmpdir(), 'everscan-mutants-'))
  const folder = join(top, 'tree')
  const temporary = join(top, 'tmp')
  mkdirSync(temporary)
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  const built = globSync('{server,web}/dist/**', { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
  for (const path of [...listed.split('\0'), ...built]) {
    if (path === '' || !existsSync(join(root, path))) continue
    mkdirSync(join(folder, dirname(path)), { recursive: true })
    linkSync(join(root, path), join(folder, path))
  }
  linkPackages(root, folder)
  return {
    folder,
    temporary,
    write: (path, text) => {
      // Writing into the link would change the original.
      rmSync(join(folder, path))
      writeFileSync(join(folder, path), text)
    },
    remove: () => rmSync(top, { recursive: true, force: true }),
  }
}

/** Packages are those of the original; the workspaces among them are those of the copy. */
function linkPackages(root: string, folder: string): void {
  const ours = '@everscan'
  mkdirSync(join(folder, 'node_modules', ours), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules')))
    if (name !== ours) symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  for (const name of readdirSync(join(root, 'node_modules', ours)))
    symlinkSync(join(folder, name), join(folder, 'node_modules', ours, name))
}
