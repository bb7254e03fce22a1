// `npm run generate`: the documents that come from code. With `--check` nothing is written and a stale one fails.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiDocument } from '../server/src/api/openapi/openapi.ts'
import { settings } from '../server/src/config.ts'
import { commandsPage } from './commands-page.ts'
import { platformIcons } from './platform-icons.ts'

const root = join(import.meta.dirname, '..')

const documents: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/commands.md': commandsPage,
  'docs/configuration.md': configuration,
  'docs/openapi.json': () => `${JSON.stringify(openApiDocument(), undefined, 2)}\n`,
  'server/src/pages/platform-icons.json': platformIcons,
}

function configuration(): string {
  const rows = Object.values(settings).map(
    (setting) => `| \`${setting.name}\` | ${setting.default} | ${setting.meaning} |`,
  )
  return [
    '# Configuration',
    '',
    'Everscan reads its settings from the environment when it starts. An empty value counts as absent; a wrong one stops the start',
    'with a message that names it. This page is made from `server/src/config.ts` by `npm run generate`.',
    '',
    '| Name | Default | Meaning |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

const checking = process.argv.includes('--check')
for (const [path, make] of Object.entries(documents)) {
  const text = await make()
  const before = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined
  if (before === text) continue
  if (checking) {
    console.error(`${path} is stale: run npm run generate`)
    process.exitCode = 1
  } else {
    writeFileSync(join(root, path), text)
    console.log(`wrote ${path}`)
  }
}
