import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserNames } from '@everscan/contract/rules/device-names.ts'
import { scanHints } from '../../journal/raw-scan.ts'
import { appOf, deviceHintsOf, hintedApps } from './client-hints.ts'

test('a browser is told by its brand, and Chrome needs no name', () => {
  for (const [brands, app] of [
    ['"Brave";v="131", "Chromium";v="131", "Not_A Brand";v="24"', 'Brave'],
    ['"Chromium";v="130", "Microsoft Edge";v="130", "Not?A_Brand";v="99"', 'Edge'],
    ['"Android WebView";v="131", "Chromium";v="131", "Not_A Brand";v="24"', 'Android WebView'],
    ['"Google Chrome";v="131", "Chromium";v="131", "Not_A Brand";v="24"', ''],
    ['"Braveheart";v="1"', ''],
    ['', ''],
    [`"Brave";v="${'1'.repeat(1_000)}"`, ''],
  ] as const)
    assert.equal(appOf({ 'sec-ch-ua': brands }), app, brands)
})

test('an app is told by the package that its built-in browser sends', () => {
  const webView = { 'sec-ch-ua': '"Android WebView";v="131"' }
  assert.equal(appOf({ ...webView, 'x-requested-with': 'com.whatsapp' }), 'WhatsApp')
  assert.equal(appOf({ 'x-requested-with': 'com.gamma.scan' }), 'QR scanner app')
  assert.equal(appOf({ ...webView, 'x-requested-with': 'com.example.unheard' }), 'Android WebView')
  for (const sender of ['XMLHttpRequest', '__proto__', 'constructor'])
    assert.equal(appOf({ 'x-requested-with': sender }), '', sender)
})

test('any number of different brands is answered', () => {
  for (let n = 0; n < 3_000; n++) assert.equal(appOf({ 'sec-ch-ua': `"Brave";v="${n}"` }), 'Brave')
})

test('system, kind of page and form factor are flags', () => {
  const phone = { 'sec-ch-ua-platform': '"Android"', 'sec-ch-ua-mobile': '?1' }
  assert.equal(deviceHintsOf(phone), scanHints.android | scanHints.phone)
  const tablet = {
    'sec-ch-ua-platform': '"Android"',
    'sec-ch-ua-mobile': '?0',
    'sec-ch-ua-form-factors': '"Tablet", "EInk"',
  }
  assert.equal(deviceHintsOf(tablet), scanHints.android | scanHints.tablet)
  assert.equal(deviceHintsOf({ 'sec-ch-ua-platform': '"Windows"', 'sec-ch-ua-mobile': '?0' }), 0)
  assert.equal(deviceHintsOf({}), 0)
})

test('rules can name every browser and app that headers name, and each fits into the journal', () => {
  assert.deepEqual(
    [...hintedApps].filter((name) => !browserNames.has(name) || name.length > 40),
    [],
  )
})
