// `npm run generate` writes the documents that come from code. With `--check` it writes nothing and
// fails if a document is stale.
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { openApiDocument } from '../server/src/api/openapi/openapi.ts'
import { settings } from '../server/src/settings/settings.ts'
import { clientCalls } from './clients/client-calls.ts'
import { postmanCollection } from './clients/postman.ts'
import { commandsPage } from './commands-page.ts'
import { pagesWithParts, withParts } from './guide-parts.ts'
import { mcpToolsPage } from './mcp-tools-page.ts'
import { platformIcons } from './platform-icons.ts'

const root = join(import.meta.dirname, '..')

const documents: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/adr/README.md': decisionRecords,
  'docs/commands.md': commandsPage,
  'docs/configuration.md': configuration,
  'docs/mcp-tools.md': mcpToolsPage,
  'docs/openapi.json': () => `${JSON.stringify(openApiDocument(), undefined, 2)}\n`,
  'docs/postman/everscan.postman_collection.json': () => postmanCollection(openApiDocument()),
  'integrations/n8n/LICENSE': () => readFileSync(join(root, 'LICENSE'), 'utf8'),
  'pages/src/platform-icons.json': platformIcons,
  ...Object.fromEntries(
    pagesWithParts.map((path) => [path, () => withParts(readFileSync(join(root, path), 'utf8'))]),
  ),
  ...Object.fromEntries(Object.entries(await clientCalls()).map(([path, text]) => [path, () => text])),
}

function decisionRecords(): string {
  const records = globSync('docs/adr/[0-9]*.md', { cwd: root })
    .sort()
    .map((path) => {
      const [, number = '', title = ''] = /^# (\d+)\. (.+)/.exec(readFileSync(join(root, path), 'utf8')) ?? []
      return { number: Number(number), row: `| ${number} | [${title}](${basename(path)}) |` }
    })
  const numbers = new Set(records.map(({ number }) => number))
  const missing = Array.from({ length: Math.max(...numbers) }, (_, index) => index + 1).filter(
    (number) => !numbers.has(number),
  )
  return [
    '# Decision records',
    '',
    'Each record states a decision, its reasons and its consequences. A later record that changes an earlier one names it. Numbers',
    `that are missing (${missing.join(', ')}) were set aside, and nothing was written under them. \`npm run generate\` writes this page.`,
    '',
    '| Number | Decision |',
    '| --- | --- |',
    ...records.map(({ row }) => row),
    '',
  ].join('\n')
}

function configuration(): string {
  const rows = Object.values(settings).map(
    ({ name, isSecret, default: fallback, meaning }) =>
      `| \`${name}\`${isSecret === true ? `, \`${name}_FILE\`` : ''} | ${fallback} | ${meaning} |`,
  )
  return [
    '# Configuration',
    '',
    'Everscan reads its settings from the environment at startup. An empty value counts as absent. An invalid value stops the start',
    'with a message that names the setting. `npm run generate` writes this page from `server/src/settings/config.ts`.',
    '',
    'Each secret can be in a file instead, such as a secret of Docker or Kubernetes: set the second name, which ends in `_FILE`, to the',
    'path of a file whose only line is the value. The file is read at the start.',
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
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    console.log(`wrote ${path}`)
  }
}
