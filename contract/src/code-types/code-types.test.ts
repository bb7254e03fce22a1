import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importColumns } from './import-columns.ts'
import { systems } from './code-type.ts'
import { codeType, isPageType, isQrCodeType, qrCodeTypes, redirectOf } from './code-types.ts'
import { destinationsOf } from './qr-code-data-problems.ts'

test('a type redirects every example, shows a page for each, or says that it does either', () => {
  for (const type of qrCodeTypes) {
    const { answers, schema } = codeType(type)
    const { examples = [] } = schema as { examples?: readonly Record<string, unknown>[] }
    const isRedirected = examples.flatMap((data) => {
      const addresses = destinationsOf(type, data).map(({ url }) => url)
      return systems.map((system) => {
        const address = redirectOf(type, data, system)
        assert.ok(address === undefined || addresses.includes(address), `${type}: ${address}`)
        return address !== undefined
      })
    })
    assert.equal(isRedirected.includes(true), answers !== 'page', type)
    assert.equal(isRedirected.includes(false), answers !== 'redirect', type)
    assert.equal(isPageType(type), answers !== 'redirect')
  }
})

test('a column of an import is a field of the content, unless the type reads rows its own way', () => {
  for (const type of qrCodeTypes) {
    const { importColumns: own, imported, schema } = codeType(type)
    if (imported !== undefined) continue
    const names = own.map(({ name }) => name)
    assert.deepEqual(
      names.filter((name) => !isField(schema, name)),
      [],
      type,
    )
  }
  const contact = importColumns('VCARD').map(({ name }) => name)
  const { address, ...fields } = codeType('VCARD').schema.properties
  for (const name of Object.keys(fields)) assert.ok(contact.includes(name), name)
  for (const part of Object.keys(Object(address).properties))
    assert.ok(contact.includes(`address.${part}`), part)
})

/** Whether a path such as `address.city` leads to a field. */
function isField(schema: object, path: string): boolean {
  return (
    path.split('.').reduce<unknown>((at, name) => Object(Object(at).properties)[name], schema) !== undefined
  )
}

const redirects = (data: object) => systems.map((system) => redirectOf('APP', { ...data }, system))

test('an app is sent to the store of its system, else to the fallback, else nowhere', () => {
  const [iosUrl, fallbackUrl] = ['https://example.com/ios', 'https://example.com/else']
  assert.deepEqual(redirects({ iosUrl, fallbackUrl }), [iosUrl, fallbackUrl, fallbackUrl])
  assert.deepEqual(redirects({ iosUrl }), [iosUrl, undefined, undefined])
  assert.deepEqual(redirects({ iosUrl: 'x:y', fallbackUrl }), [fallbackUrl, fallbackUrl, fallbackUrl])
  assert.deepEqual(redirects({}), [undefined, undefined, undefined])
})

test('a menu is sent to its address, or is written out', () => {
  assert.equal(redirectOf('MENU', { url: 'https://example.com' }, 'ios'), 'https://example.com')
  assert.equal(redirectOf('MENU', { title: 'A', sections: [] }, 'ios'), undefined)
})

test('words that name no type of this release are told', () => {
  for (const word of ['', 'url', 'NEWER', 'constructor', '__proto__']) assert.equal(isQrCodeType(word), false)
  assert.ok(isQrCodeType('URL'))
})
