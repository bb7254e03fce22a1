// Texts of the dashboard: none stands outside of the catalogues of words.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { test } from 'node:test'
import { parseAst } from 'rolldown/parseAst'

const source = join(import.meta.dirname, '..')

/** Attributes and properties that users read or hear. */
const shownNames = new Set(
  'aria-label ariaLabel alt title placeholder label legend hint text heading description'.split(' '),
)
/** Names of our product and of formats, and samples that are the same in every language. */
const notWords = /^(Everscan|#[0-9A-F]{6}|https?:\S*|[a-z]+:\S*|[A-Z0-9_ .-]{1,6}|[A-Z_]+=|\S+@\S+)$/

const imports = /(?:^|\n)import (type )?[^'"`;]*?'([^']+)'/g

type Node = { type: string; start: number } & Record<string, unknown>

test('pages have no texts of their own', () => {
  const found: string[] = []
  for (const path of globSync('**/*.{ts,tsx}', { cwd: source })) {
    if (path.startsWith('words') || path.endsWith('.test.ts')) continue
    const text = readFileSync(join(source, path), 'utf8')
    const tree = parseAst(text, { lang: path.endsWith('.tsx') ? 'tsx' : 'ts' })
    visit(tree as unknown as Node, (node, [parent, above]) => {
      const shown = shownText(node, parent, above)
      if (shown === undefined || !/\p{L}{2}/u.test(shown) || notWords.test(shown)) return
      found.push(`${path}:${text.slice(0, node.start).split('\n').length}: ${shown}`)
    })
  }
  assert.deepEqual(found, [])
})

/** The first page loads these words only, in every language: see `catalogue.ts`. */
test('the first page uses no words that are loaded after it', () => {
  const seen = new Set<string>()
  const visitFile = (path: string) => {
    if (seen.has(path) || !/\.tsx?$/.test(path)) return
    seen.add(path)
    // Imports of types and those that are dynamic load nothing at once.
    for (const [, kind, target = ''] of readFileSync(path, 'utf8').matchAll(imports))
      if (kind !== 'type ' && target.startsWith('.')) visitFile(join(dirname(path), target))
  }
  visitFile(join(source, 'dashboard.tsx'))
  const areas = [...seen].filter((path) => path.endsWith('-words.ts')).map((path) => basename(path))
  assert.deepEqual(areas.toSorted(), [
    'common-words.ts',
    'passkeys-words.ts',
    'service-words.ts',
    'sign-in-words.ts',
  ])
})

function shownText(node: Node, parent?: Node, above?: Node): string | undefined {
  if (node.type === 'JSXText') return String(node['value']).trim()
  const value = literalOf(node)
  if (value === undefined || parent === undefined) return undefined
  if (parent.type === 'JSXExpressionContainer' && above?.type !== 'JSXAttribute') return value.trim()
  const named = (parent['name'] ?? parent['key']) as { name?: unknown; value?: unknown } | undefined
  const name = typeof named?.name === 'string' ? named.name : named?.value
  const isNamed = ['JSXAttribute', 'Property'].includes(parent.type) && parent['value'] === node
  return isNamed && typeof name === 'string' && shownNames.has(name) ? value.trim() : undefined
}

function literalOf(node: Node): string | undefined {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined
  if (node.type !== 'TemplateLiteral') return undefined
  return (node['quasis'] as { value: { raw: string } }[]).map(({ value }) => value.raw).join('')
}

/** Calls for each node, with the nodes around it, the nearest first. */
function visit(node: Node, call: (node: Node, around: readonly Node[]) => void, around: Node[] = []): void {
  call(node, around)
  for (const [key, value] of Object.entries(node)) {
    if (key === 'parent') continue
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
      if (typeof child === 'object' && child !== null && 'type' in child)
        visit(child as Node, call, [node, ...around])
  }
}
