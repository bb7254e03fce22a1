import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pageLanguages } from '@everscan/contract/code-types/page-languages.ts'
import { openTableApi } from '../testing/api.ts'
import { addressOf, guideFiles } from './guide-pages.ts'
import type { SearchEntry } from './load-guide.ts'
import { renderMarkdown } from './markdown.ts'

const app = openTableApi([])
const addresses = guideFiles.map(({ slug }) => addressOf(slug))
const untouched = { link: (to: string) => to, image: (to: string) => to }

/** The targets of links, scripts and pictures in a document. */
function targetsIn(html: string): string[] {
  return [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, target = '']) => target)
}

test('200: every page comes from this server, with nothing inline and its policy', async () => {
  for (const address of addresses) {
    const page = await app.inject(address)
    assert.equal(page.statusCode, 200, address)
    assert.match(String(page.headers['content-type']), /^text\/html/)
    const policy = String(page.headers['content-security-policy'])
    assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'/)
    assert.doesNotMatch(policy, /unsafe|\*|https?:/)
    assert.doesNotMatch(page.body, /<script>|<style|style=| on\w+=|<!--/, address)
    assert.match(page.body, /<h1>.+<\/h1>/, address)
    assert.equal(page.body.split('aria-current="page"').length - 1, address === '/docs/guide' ? 0 : 2)
  }
})

test('every link between pages leads to a page, and every fragment to a heading', async () => {
  const bodies = new Map<string, string>()
  for (const address of addresses) bodies.set(address, (await app.inject(address)).body)
  let fragments = 0
  for (const [address, body] of bodies) {
    for (const target of targetsIn(body)) {
      // The dashboard and the web are not part of the guide.
      if (/^(https?:|\/app)/.test(target)) continue
      const [path = '', fragment] = target.replaceAll('&amp;', '&').split('#')
      const full = path === '' ? address : path
      assert.match(full, /^\//, `${address}: ${target}`)
      if (fragment === undefined) {
        assert.equal((await app.inject(full)).statusCode, full.startsWith('/api/') ? 404 : 200, target)
        continue
      }
      fragments++
      assert.ok(bodies.get(full)?.includes(`id="${fragment}"`), `${address}: ${target}`)
    }
  }
  assert.ok(fragments > 100)
})

test('the search index has every part of every page, without markup', async () => {
  const answer = await app.inject('/docs/guide/search.json')
  assert.equal(answer.statusCode, 200)
  const entries = answer.json<SearchEntry[]>()
  for (const address of addresses)
    assert.ok(
      entries.some((entry) => entry.address === address),
      address,
    )
  const unique = entries.find(({ address }) => address === '/docs/guide/analytics#unique-scans')
  assert.equal(unique?.page, 'What the figures mean')
  assert.equal(unique?.heading, 'Unique scans')
  assert.match(unique?.text ?? '', /first scan of that code, ever/)
  for (const { text, address } of entries) assert.doesNotMatch(text, /<!--|\]\(/, address)
})

test('304: a page, the index and a file are not sent again', async () => {
  for (const url of ['/docs/guide/types', '/docs/guide/search.json', '/docs/guide/style.css']) {
    const first = await app.inject(url)
    const headers = { 'if-none-match': String(first.headers['etag']) }
    assert.equal((await app.inject({ url, headers })).statusCode, 304, url)
  }
})

test('404: other addresses get a page that leads on; no path leaves the guide', async () => {
  const answer = await app.inject('/docs/guide/nothing')
  assert.equal(answer.statusCode, 404)
  assert.match(answer.body, /Page not found/)
  for (const path of ['/docs/guide/..%2F..%2Fpackage.json', '/docs/guide/images/..%2Fsecurity.md'])
    assert.equal((await app.inject(path)).statusCode, 404, path)
  assert.equal((await app.inject('/docs/guide/')).headers['location'], '/docs/guide')
})

function read(...path: string[]): string {
  return readFileSync(join(import.meta.dirname, ...path), 'utf8')
}

test('the guide has the colours and the font of the dashboard', () => {
  const ofDashboard = read('..', '..', '..', '..', 'web', 'src', 'styles', 'main.css')
  const declared = [...read('assets', 'style.css').matchAll(/--(?:color|radius|font-sans)[\w-]*: .+;/g)]
  assert.ok(declared.length >= 11)
  for (const [declaration] of declared) assert.ok(ofDashboard.includes(declaration), declaration)
})

test('text of a page cannot become markup, and raw HTML is left out', () => {
  const page = '# A <b>\n\n<script>alert(1)</script>\n\n`<i>` [x](javascript:"a) "q" 4<!-- =limits.x -->\n'
  const { html, title } = renderMarkdown(page, untouched)
  assert.doesNotMatch(html, /<script|<b>|<i>|<!--/)
  assert.match(html, /<code>&lt;i&gt;<\/code>/)
  assert.equal(title, 'A ')
})

test('headings have anchors as on GitHub, and a link to themselves', () => {
  const { html, parts } = renderMarkdown('# T\n\n## Keys & `copies`\n\ntext\n\n## Keys & copies\n', untouched)
  assert.match(html, /<h2 id="keys--copies">/)
  assert.match(html, /<h2 id="keys--copies-1">/)
  assert.deepEqual(
    parts.map(({ anchor, text }) => [anchor, text]),
    [
      ['', ''],
      ['keys--copies', 'text'],
      ['keys--copies-1', ''],
    ],
  )
})

test('the page of types names every language of pages', async () => {
  const { body } = await app.inject('/docs/guide/types')
  const nameOf = new Intl.DisplayNames('en', { type: 'language' })
  for (const language of pageLanguages) assert.match(body, new RegExp(`\\b${nameOf.of(language)}\\b`))
})

test('a page must begin with its title', () => {
  assert.throws(() => renderMarkdown('## Not a title\n', untouched), /begin with its title/)
})
