import { spawnSync } from 'node:child_process'
import { glob, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'

/**
 * Compiles the client for npm: JavaScript and declarations in `dist/client/src`, and the contract's
 * declarations that they use in `dist/contract/src`. The JavaScript has no imports from outside.
 */
export async function build(outDir: string): Promise<void> {
  await rm(outDir, { recursive: true, force: true })
  const tsc = join(import.meta.dirname, '../node_modules/typescript/bin/tsc')
  const project = join(import.meta.dirname, 'tsconfig.build.json')
  const { status } = spawnSync(process.execPath, [tsc, '-p', project, '--outDir', outDir], {
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('tsc found errors')

  for await (const file of glob('contract/**/*.js', { cwd: outDir })) await rm(join(outDir, file))
  // The compiler rewrites the extensions of relative imports only in JavaScript, and those of
  // packages nowhere.
  for await (const file of glob('**/*.d.ts', { cwd: outDir })) {
    const contract = relative(dirname(file), 'contract/src').split(sep).join('/')
    const text = await readFile(join(outDir, file), 'utf8')
    const rewritten = text
      .replaceAll(/(from|import\()(\s*)'@everscan\/contract\/([\w/-]+)\.ts'/g, `$1$2'${contract}/$3.js'`)
      .replaceAll(/(from|import\()(\s*)(['"])(\.\.?\/[^'"]+)\.ts\3/g, '$1$2$3$4.js$3')
    await writeFile(join(outDir, file), rewritten)
  }
}

if (import.meta.main) await build(join(import.meta.dirname, 'dist'))
