import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { inherited } from '../support/service.ts'
import { publicUrl, urlCode, type Installation, type Tenant } from './installation.ts'

const readmePath = join(import.meta.dirname, '..', '..', '..', 'client', 'README.md')
const importForm = /^import (.*) from '(.*)'\n/gm

/** The expected output of an example, followed by the files that it creates, by its heading. */
const outcomes: Readonly<Record<string, RegExp>> = {
  Codes: new RegExp(`^${publicUrl}/[0-9A-Z]{7}\n`),
  'Pictures and analytics': /\.(svg|csv)$/,
  'Many codes from a CSV file': /\n1 created, 1 rejected\n.*to-fix\.csv$/s,
}

/**
 * Runs each example of the client's README as a program, after the first example, which the others
 * build on.
 */
export function readmeRules(of: Installation): void {
  describe("the client's README", () => {
    const [first, ...examples] = examplesOf(readFileSync(readmePath, 'utf8'))
    let org: Tenant
    before(async () => {
      org = await of.organization()
    })

    test('client README: there are examples', () => {
      assert.match(first?.text ?? '', /createClient\(\{/)
      assert.ok(examples.length >= 8)
      for (const heading of Object.keys(outcomes))
        assert.ok(
          examples.some((one) => one.heading === heading),
          heading,
        )
    })

    for (const [index, { heading, text }] of examples.entries())
      test(`client README: example ${index + 2}, "${heading}", runs`, async () => {
        const { id } = await org.client.qrCodes.create(org.orgId, urlCode('Of the README'))
        const program = programOf([first?.text ?? '', text], { baseUrl: of.service().baseUrl, id })
        assert.match(await run(program, org.key), outcomes[heading] ?? /^/)
      })
  })
}

function examplesOf(readme: string): { heading: string; text: string }[] {
  let heading = ''
  return [...readme.matchAll(/^## (.*)$|^```ts\n([^]*?)^```$/gm)].flatMap(([, title, text]) => {
    heading = title ?? heading
    return text === undefined ? [] : [{ heading, text }]
  })
}

/**
 * `code` and `id` refer to an existing code, because some examples use one of an earlier example.
 */
function programOf(
  [first, example]: readonly [string, string],
  { baseUrl, id }: { baseUrl: string; id: string },
): string {
  const imports = new Set(["import { writeFile } from 'node:fs/promises'"])
  for (const [, names = '', from = ''] of (first + example).matchAll(importForm)) {
    const source = from === '@everscan/client' ? import.meta.resolve(`${from}/create-client.ts`) : from
    imports.add(`import ${names} from '${source}'`)
  }
  return [
    ...imports,
    first.replace(importForm, '').replace('https://qr.example.com', baseUrl),
    `const id = '${id}'`,
    'const code = await everscan.qrCodes.read(orgId, id)',
    `{\n${example.replace(importForm, '')}}`,
  ].join('\n')
}

async function run(program: string, apiKey: string): Promise<string> {
  const cwd = mkdtempSync(join(tmpdir(), 'everscan-readme-'))
  try {
    writeFileSync(join(cwd, 'program.ts'), program)
    writeFileSync(join(cwd, 'codes.csv'), 'name,url\nGood,https://example.com/\nBad,nope\n')
    const atFirst = new Set(readdirSync(cwd))
    const env = { ...inherited(), EVERSCAN_API_KEY: apiKey }
    const { stdout } = await promisify(execFile)(process.execPath, ['program.ts'], { cwd, env })
    return [stdout, ...readdirSync(cwd).filter((name) => !atFirst.has(name))].join('\n')
  } finally {
    rmSync(cwd, { recursive: true })
  }
}
