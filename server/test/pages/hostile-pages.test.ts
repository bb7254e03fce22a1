import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPageType, qrCodeTypes, type PageType } from '@everscan/contract/code-types/code-types.ts'
import { hostileStrings } from '@everscan/pages/testing/hostile-strings.ts'
import { landingPage } from '@everscan/pages/landing-page.ts'
import { pageColors } from '@everscan/pages/page-colors.ts'
import { pageStyle } from '@everscan/pages/page-style.ts'
import type { PageCode } from '@everscan/pages/page-content.ts'
import { openTab } from '../support/tabs.ts'
import { languages } from '@everscan/pages/languages/languages.ts'
import { createContactFile } from '@everscan/pages/vcard-page.ts'
import { readVisitor } from '../../src/scan/scan-visitor.ts'
import { sentContactFile } from '../../src/files/sent-pages.ts'

const batchSize = 60
const landing = qrCodeTypes.filter(isPageType)

/**
 * Returns a code with the text everywhere that its type, its style and its organization have text.
 */
function codeOf(type: PageType, text: string, url = text): PageCode {
  const address = { street: text, city: text, state: text, zip: text, country: text }
  const item = { name: text, description: text, price: 1, currency: text }
  const data = {
    firstName: text,
    lastName: text,
    email: text,
    phone: text,
    company: text,
    title: text,
    note: text,
    address,
    website: url,
    ssid: text,
    password: text,
    encryption: 'WPA',
    hidden: true,
    subject: text,
    body: text,
    message: text,
    text,
    iosUrl: url,
    androidUrl: url,
    sections: [
      { name: text, items: [item, { ...item, price: text }, text] },
      { name: text, items: text },
    ],
    links: [{ platform: text, url, label: text }, { platform: 'x', url, label: text }, text],
  }
  const style = { foregroundColor: text, backgroundColor: text, cornerDotColor: text }
  // Only what was written past the interface has other logos than ours.
  const logo = { dataUri: `data:image/png;base64,${text}`, widthPx: 1, heightPx: 1 }
  return {
    type,
    name: text,
    data,
    colors: pageColors(style),
    brand: { name: text, logo },
    contactPath: '/A.vcf',
  }
}

/**
 * Returns a page without the style sheet, which is the same for all pages, so that a thousand are
 * read in a second.
 */
function documentOf(code: PageCode): string {
  const { text } = landingPage(code, { language: 'en', locale: 'en', system: 'other' })
  return text.replace(pageStyle, '')
}

type Seen = { shape: string[]; targets: string[]; text: string }

test('no hostile string in any field runs, loads or leaves its place', async (t) => {
  assert.ok(hostileStrings.length >= 300, `${hostileStrings.length}`)
  assert.equal(new Set(hostileStrings).size, hostileStrings.length)
  const { tab, show, problems } = await openTab({ width: 390, height: 844, scheme: 'light' })
  tab.on('dialog', (dialog) => {
    problems.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  // No policy helps here: what stands in a page must be harmless by itself.
  const opener = Buffer.from(`<!doctype html><title>pages</title><body><script>${opening}</script>`)
  await show({ status: 200, headers: ['Content-Type', 'text/html; charset=utf-8'], body: opener })
  let pages = 0
  for (const [place, type] of landing.entries()) {
    const see = (documents: string[]) => tab.evaluate<Seen[]>(`readAll(${JSON.stringify(documents)})`)
    const benign = ['Ann', ' Ann ', '1', 'https://example.com'].flatMap((text) => [
      documentOf(codeOf(type, text, 'https://example.com/')),
      documentOf(codeOf(type, text)),
    ])
    const expected = await see(benign)
    const allowed = new Set(expected.flatMap(({ shape }) => shape))
    const elementsMax = Math.max(...expected.map(({ shape }) => shape.length))
    for (let at = 0; at < hostileStrings.length; at += batchSize) {
      const batch = hostileStrings.slice(at, at + batchSize)
      const found = await see(batch.map((text) => documentOf(codeOf(type, text))))
      for (const [index, { shape, targets, text }] of found.entries()) {
        const title = `${type} ${JSON.stringify(batch[index])?.slice(0, 80)}`
        assert.deepEqual(
          shape.filter((one) => !allowed.has(one)),
          [],
          title,
        )
        assert.ok(shape.length <= elementsMax, `${title}: ${shape.length} elements`)
        assert.deepEqual(
          targets.filter((target) => !/^(https?:|mailto:|tel:|sms:|#s\d$|\/A\.vcf$)/.test(target)),
          [],
          title,
        )
        if (type === 'TEXT') assert.equal(text, readable(batch[index] ?? ''), title)
        pages++
      }
      // Only elements can run. Each text is also opened in one page, and in the long run in all.
      const opened = batch.filter(
        (_, index) => process.env['SOAK'] === '1' || index % landing.length === place,
      )
      await tab.evaluate(`openAll(${JSON.stringify(opened.map((text) => documentOf(codeOf(type, text))))})`)
      assert.deepEqual(problems, [], type)
    }
  }
  t.diagnostic(`${hostileStrings.length} strings, ${pages} pages`)
  await tab.context().close()
})

/** Returns a text as a reader sees it: line breaks are one character, invalid characters U+FFFD. */
function readable(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\t\n]/gu, '\ufffd')
}

test('a hostile user agent or language gets a page like anybody else', () => {
  for (const text of hostileStrings) {
    const visitor = readVisitor({ 'user-agent': text, 'accept-language': text, 'accept-encoding': text })
    assert.ok(languages.includes(visitor.language))
    assert.match(visitor.locale, /^[a-z]{2,3}(-[A-Z]{2})?$/)
    assert.equal(visitor.acceptsGzip, false)
    for (const type of landing) assert.equal(landingPage(codeOf(type, text), visitor).status, 200)
  }
})

test('a contact file of hostile strings has the lines of a contact and no others', () => {
  for (const text of hostileStrings) {
    const { headers, body } = sentContactFile(createContactFile(codeOf('VCARD', text).data))
    for (const part of headers) assert.match(part, /^[\x20-\x7e]*$/)
    const names = String(body)
      .replaceAll('\r\n ', '')
      .split('\r\n')
      .map((line) => line.split(':')[0])
    const known = [
      'BEGIN',
      'VERSION',
      'N',
      'FN',
      'ORG',
      'TITLE',
      'TEL',
      'EMAIL',
      'URL',
      'ADR',
      'NOTE',
      'END',
      '',
    ]
    assert.deepEqual(
      names.filter((name) => !known.includes(name ?? '')),
      [],
      text,
    )
    assert.equal(new Set(names).size, names.length, text)
  }
})

/**
 * A script for the browser. It reads documents and reports their elements, and it opens them as
 * pages whose scripts run.
 */
const opening = `
const read = (text) => {
  const page = new DOMParser().parseFromString(text, 'text/html')
  const elements = [...page.querySelectorAll('*')]
  const attributes = (one) => [...one.attributes].map(({ name }) => name).sort()
  return {
    shape: elements.map((one) => one.tagName + ' ' + attributes(one)),
    targets: elements.filter((one) => one.hasAttribute('href')).map((one) => one.getAttribute('href')),
    text: page.querySelector('.large')?.textContent ?? '',
  }
}
const readAll = (texts) => texts.map(read)
const open = (text) => new Promise((resolve) => {
  const frame = document.createElement('iframe')
  // A little later, so that what loads or begins afterwards is noticed too.
  frame.onload = () => setTimeout(() => resolve(frame.remove()), 50)
  frame.srcdoc = text
  document.body.append(frame)
})
const openAll = (texts) => Promise.all(texts.map(open))
`
