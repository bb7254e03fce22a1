import { spawnSync } from 'node:child_process'
import { copyFile, cp, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { contractTypes } from './contract-types.ts'

const root = join(import.meta.dirname, '..')

/**
 * Writes the package for npm, which `npm publish` and `npm pack` take as it is: JavaScript without
 * any import from outside, declarations that stand alone, the README, the examples and the licence.
 */
export async function build(outDir: string): Promise<void> {
  await rm(outDir, { recursive: true, force: true })
  await mkdir(outDir, { recursive: true })
  const compiled = await mkdtemp(join(tmpdir(), 'everscan-client-'))
  try {
    compile(compiled)
    await copyCompiled(join(compiled, 'client', 'src'), outDir)
  } finally {
    await rm(compiled, { recursive: true })
  }
  await writeFile(join(outDir, 'package.json'), `${JSON.stringify(await manifest(), undefined, 2)}\n`)
  const readme = await readFile(join(import.meta.dirname, 'README.md'), 'utf8')
  // A registry has no other file of the repository.
  await writeFile(join(outDir, 'README.md'), readme.replaceAll(/\[([^\]]*)\]\(\.\.\/[^)]*\)/g, '$1'))
  await copyFile(join(root, 'LICENSE'), join(outDir, 'LICENSE'))
  await cp(join(import.meta.dirname, 'examples'), join(outDir, 'examples'), { recursive: true })
}

function compile(outDir: string): void {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const project = join(import.meta.dirname, 'tsconfig.build.json')
  const { status } = spawnSync(process.execPath, [tsc, '-p', project, '--outDir', outDir], {
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('tsc found errors')
}

async function copyCompiled(from: string, outDir: string): Promise<void> {
  const wanted = new Set<string>()
  for await (const file of glob('**/*.{js,d.ts}', { cwd: from })) {
    const text = await readFile(join(from, file), 'utf8')
    const contract = `${dirname(file) === '.' ? '.' : '..'}/contract.js`
    await mkdir(join(outDir, dirname(file)), { recursive: true })
    await writeFile(join(outDir, file), file.endsWith('.d.ts') ? rewritten(text, contract, wanted) : text)
  }
  await writeFile(join(outDir, 'contract.d.ts'), await contractTypes(wanted))
}

/**
 * Returns declarations that import the contract's types from the file `contract`. Adds the names of these types
 * to `wanted`. The compiler rewrites the extensions of imports only in JavaScript.
 */
function rewritten(declarations: string, contract: string, wanted: Set<string>): string {
  return declarations
    .replaceAll(
      /(import|export) type \{([^}]*)\} from '@everscan\/contract\/[\w/-]+\.ts'/g,
      (_, word: string, names: string) => {
        for (const [name] of names.matchAll(/\w+/g)) wanted.add(name)
        return `${word} type {${names}} from '${contract}'`
      },
    )
    .replaceAll(/(from|import\()(\s*)(['"])(\.{1,2}\/[^'"]+)\.ts\3/g, '$1$2$3$4.js$3')
}

/** Returns the published manifest: of ours, without everything that only this repository needs. */
async function manifest(): Promise<object> {
  const { name, version, description, keywords, license, author, type, sideEffects, engines } =
    await readManifest(import.meta.dirname)
  // Packages name their repository as soon as the project does.
  const { homepage, repository } = await readManifest(root)
  const entry = { types: './create-client.d.ts', default: './create-client.js' }
  return {
    name,
    version,
    description,
    keywords,
    license,
    author,
    homepage,
    repository,
    type,
    sideEffects,
    engines,
    main: entry.default,
    types: entry.types,
    exports: {
      '.': entry,
      './package.json': './package.json',
    },
    files: ['*.js', '*.d.ts', 'calls', 'examples'],
  }
}

async function readManifest(folder: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
}

if (import.meta.main) await build(process.argv[2] ?? join(import.meta.dirname, 'dist'))
