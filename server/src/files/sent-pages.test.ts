import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { createPage } from '@everscan/pages/page.ts'
import { html } from '@everscan/pages/html.ts'
import { sentContactFile, sentNotice, sentPage } from './sent-pages.ts'

const content = { title: 'Ä', main: html`<h1>Ä</h1>`, layout: 'middle', status: 200, language: 'de' } as const
const logo = { dataUri: 'data:image/png;base64,AA==', widthPx: 1, heightPx: 1 }

const policyOf = (options: object) =>
  headersOf(sentPage(createPage({ ...content, ...options }))).get('Content-Security-Policy') ?? ''

function headersOf({ headers }: { headers: readonly string[] }): Map<string, string> {
  return new Map(headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? '']] : [])))
}

test('a page is sent with its length in bytes, and nothing keeps or lists it', () => {
  const sent = sentPage(createPage(content))
  const headers = headersOf(sent)
  assert.equal(headers.get('Content-Length'), String(sent.body.length))
  assert.equal(headers.get('Content-Language'), 'de')
  assert.equal(headers.get('Cache-Control'), 'private, no-store')
  assert.equal(headers.get('X-Robots-Tag'), 'noindex')
  assert.match(String(sent.body), /<h1>Ä<\/h1>/)
})

test('the policy allows the styles, script and picture that a page has, and nothing else', () => {
  assert.match(policyOf({}), /^default-src 'none'; style-src 'sha256-\S+' 'sha256-\S+'; base-uri 'none'/)
  const script = 'alert(1)'
  const policy = policyOf({ script, brand: { logo } })
  assert.ok(policy.includes(`; img-src data:; script-src 'sha256-${hash('sha256', script, 'base64')}';`))
})

test('every style and script of a document stands under its hash in the policy', () => {
  const { body, headers } = sentPage(createPage({ ...content, script: 'let a' }))
  const policy = headersOf({ headers }).get('Content-Security-Policy') ?? ''
  const texts = [...String(body).matchAll(/<(style|script)>(.*?)<\/\1>/gs)].map(([, , text = '']) => text)
  assert.equal(texts.length, 3)
  for (const text of texts) assert.ok(policy.includes(hash('sha256', text, 'base64')), text.slice(0, 40))
})

test('a notice is made once in each language', () => {
  const page = sentNotice('later', 'fr')
  assert.equal(sentNotice('later', 'fr'), page)
  assert.notEqual(sentNotice('later', 'de'), page)
  assert.equal(page.status, 503)
  assert.equal(headersOf(page).get('Retry-After'), '2')
})

test('a contact file is named for the contact', () => {
  const headers = headersOf(sentContactFile({ name: 'Ada "A" Lovelace', text: 'BEGIN:VCARD\r\n' }))
  assert.match(headers.get('Content-Disposition') ?? '', /^attachment; filename="Ada _A_ Lovelace\.vcf"/)
  assert.equal(headers.get('Content-Length'), '13')
  assert.equal(headers.get('Cache-Control'), 'private, no-store')
})
