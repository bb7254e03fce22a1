import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { QrCodeType } from '@everscan/client/create-client.ts'
import { rejection, urlCode, type Installation, type Tenant } from './installation.ts'

type Data = Record<string, unknown>

const url = 'https://example.com/a'
const menu = { title: 'T', sections: [{ name: 'A', items: [] }] }

type Content = {
  /** Columns that a file must have, and those that it may have. */
  columns: readonly [required: readonly string[], optional: readonly string[]]
  least: Data
  most?: Data
  wrong: readonly [Data, RegExp][]
}

/**
 * The table of section 4 of the decisions: the columns, the minimum and the maximum content of each
 * type, and invalid content.
 */
export const contents: Readonly<Record<QrCodeType, Content>> = {
  URL: { columns: [['url'], []], least: { url }, wrong: [[{}, /data\.url/]] },
  VCARD: {
    columns: [
      ['firstName', 'lastName'],
      [
        'email',
        'phone',
        'company',
        'title',
        'website',
        'address.street',
        'address.city',
        'address.state',
        'address.zip',
        'address.country',
        'note',
      ],
    ],
    least: { firstName: 'Ada', lastName: 'Lovelace' },
    most: {
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: 'ada@example.com',
      phone: '+44 20 7946 0000',
      company: 'Engines',
      title: 'Mathematician',
      website: url,
      address: { street: '1 Square', city: 'London', state: 'England', zip: 'W1', country: 'UK' },
      note: 'First\nSecond',
    },
    wrong: [
      [{ firstName: 'Ada' }, /data\.lastName/],
      [{ lastName: 'Lovelace' }, /data\.firstName/],
      [{ firstName: 'Ada', lastName: 'L', address: { planet: 'Earth' } }, /data\.address\.planet/],
      [{ firstName: 'Ada', lastName: 'L', website: 'javascript:alert(1)' }, /data\.website/],
    ],
  },
  WIFI: {
    columns: [['ssid'], ['password', 'encryption', 'hidden']],
    least: { ssid: 'Guests' },
    most: { ssid: 'Guests', password: 'welcome', encryption: 'WEP', hidden: true },
    wrong: [
      [{ password: 'welcome' }, /data\.ssid/],
      [{ ssid: 'Guests', encryption: 'WPA4' }, /data\.encryption/],
      [{ ssid: 'Guests', encryption: 'WPA2' }, /data\.password/],
      [{ ssid: 'Guests', password: 'seven77' }, /data\.password/],
      [{ ssid: 'Guests', password: 'g'.repeat(64) }, /data\.password/],
      [{ ssid: 'Guests', password: 'welcome1', encryption: 'nopass' }, /data\.password/],
      [{ ssid: 'Guests', hidden: 'yes' }, /data\.hidden/],
    ],
  },
  PDF: { columns: [['url'], []], least: { url }, wrong: [[{}, /data\.url/]] },
  EMAIL: {
    columns: [['email'], ['subject', 'body']],
    least: { email: 'ada@example.com' },
    most: { email: 'ada@example.com', subject: 'A', body: 'B' },
    wrong: [
      [{ subject: 'A' }, /data\.email/],
      [{ email: 'ada' }, /data\.email/],
    ],
  },
  SMS: {
    columns: [['phone'], ['message']],
    least: { phone: '+49 30 1' },
    most: { phone: '+49 30 1', message: 'A' },
    wrong: [[{ message: 'A' }, /data\.phone/]],
  },
  PHONE: { columns: [['phone'], []], least: { phone: '+49 30 1' }, wrong: [[{}, /data\.phone/]] },
  TEXT: {
    columns: [['text'], []],
    least: { text: 'A\nB' },
    wrong: [
      [{}, /data\.text/],
      [{ text: '' }, /data\.text/],
    ],
  },
  MENU: {
    columns: [['url'], []],
    least: { url },
    most: {
      title: 'Trattoria',
      photo: 'data:image/png;base64,iVBORw0KGgo=',
      logo: 'data:image/webp;base64,UklGRg==',
      phone: '+39 011 123456',
      bookingUrl: url,
      address: { street: 'Via Roma 1', city: 'Torino', state: 'Piemonte', zip: '10121', country: 'Italia' },
      openingHours: [{ days: ['SA', 'SU'], from: '18:00', to: '01:00' }],
      languages: ['it', 'de', 'pt-BR'],
      translations: [{ language: 'de', title: 'Gasthaus' }],
      sections: [
        {
          name: 'Pasta',
          translations: [{ language: 'de', name: 'Nudeln' }],
          items: [
            {
              name: 'Cacio',
              description: 'Good',
              price: 12.5,
              currency: 'EUR',
              diets: ['vegetarian'],
              allergens: ['milk', 'gluten'],
              translations: [{ language: 'de', name: 'Käse', description: 'Gut' }],
            },
            { name: 'Pesto' },
          ],
        },
      ],
    },
    wrong: [
      [{}, /data/],
      [{ title: 'Trattoria' }, /data/],
      [{ title: 'T', sections: [{ items: [] }] }, /data\.sections\[0\]\.name/],
      [{ title: 'T', sections: [{ name: 'A', items: [{}] }] }, /data\.sections\[0\]\.items\[0\]\.name/],
      [{ sections: [{ name: 'A', items: [] }] }, /data/],
      [{ url, phone: '+49 30 1' }, /data/],
      [{ ...menu, photo: 'https://example.com/a.png' }, /data\.photo/],
      [{ ...menu, bookingUrl: 'javascript:alert(1)' }, /data\.bookingUrl/],
      [{ ...menu, openingHours: [{ days: [], from: '9:00', to: '10:00' }] }, /data\.openingHours\[0\]/],
      [{ ...menu, languages: ['it', 'it'] }, /data\.languages/],
      [{ ...menu, languages: ['1'] }, /data\.languages\[0\]/],
      [
        { ...menu, languages: ['it', 'de'], translations: [{ language: 'fr', title: 'A' }] },
        /data\.translations\[0\]\.language/,
      ],
      [
        {
          ...menu,
          languages: ['it', 'de'],
          sections: [
            {
              name: 'A',
              items: [{ name: 'B', translations: ['de', 'de'].map((language) => ({ language, name: 'C' })) }],
            },
          ],
        },
        /data\.sections\[0\]\.items\[0\]\.translations\[1\]\.language/,
      ],
      [
        { title: 'T', sections: [{ name: 'A', items: [{ name: 'B', allergens: ['love'] }] }] },
        /data\.sections\[0\]\.items\[0\]\.allergens\[0\]/,
      ],
    ],
  },
  APP: {
    columns: [[], ['iosUrl', 'androidUrl', 'fallbackUrl']],
    least: { androidUrl: url },
    most: { iosUrl: url, androidUrl: url, fallbackUrl: url },
    wrong: [
      [{}, /data/],
      [{ iosUrl: 'itms://x' }, /data\.iosUrl/],
    ],
  },
  VIDEO: { columns: [['url'], []], least: { url }, wrong: [[{}, /data\.url/]] },
  SOCIAL: {
    columns: [[], ['title', 'website', 'facebook', 'instagram', 'x', 'linkedin', 'youtube', 'tiktok']],
    least: { links: [{ platform: 'x', url }] },
    most: { title: 'Follow', links: [{ platform: 'x', url, label: 'X' }] },
    wrong: [
      [{ title: 'Follow' }, /data\.links/],
      [{ links: [{ url }] }, /data\.links\[0\]\.platform/],
      [{ links: [{ platform: 'x' }] }, /data\.links\[0\]\.url/],
    ],
  },
}

const noDestinations = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'ftp://example.com',
  'intent://x',
  'example',
  'localhost:1',
  'mailto:a@example.com',
  'http://4100',
  'http://0x7f.1',
  '//example.com',
  '/a',
  'http://',
  'https:',
  '',
]

/** The content of a code: section 2 of the specification, section 4 of the decisions. */
export function contentRules(of: Installation): void {
  describe('contents', () => {
    let org: Tenant
    before(async () => {
      org = await of.organization()
    })
    // As loosely typed as JSON on the wire.
    const create = (type: QrCodeType, data: Data) =>
      org.client.qrCodes.create(org.orgId, { type, name: type, data })

    for (const [name, { least, most, wrong }] of Object.entries(contents)) {
      const type = name as QrCodeType
      const all = Object.keys({ ...least, ...most })
      const required = all.filter((key) => key in least && most !== undefined && key in most)
      test(`spec 2, decisions 4: data of ${type}: ${all.join(', ')}; required: ${required.join(', ') || 'see the table'}`, async () => {
        for (const data of [least, most ?? least]) {
          const code = await create(type, data)
          assert.deepEqual([code.type, code.data], [type, data])
          assert.deepEqual((await org.client.qrCodes.read(org.orgId, code.id)).data, data)
        }
        for (const [data, message] of wrong)
          await rejection(create(type, data), 400, 'VALIDATION_ERROR', message)
        const unknown = create(type, { ...least, colour: 'red' })
        await rejection(unknown, 400, 'VALIDATION_ERROR', /data\.colour/)
        for (const data of ['x', [], null, 7]) {
          const body = { type, name: type, data }
          await org.refused(['POST', '/qr-codes', { body }], 400, 'VALIDATION_ERROR', /data/)
        }
      })
    }

    test('decisions 4: every url is http or https; no redirect leads to another scheme', async () => {
      for (const bad of noDestinations) {
        for (const type of ['URL', 'PDF', 'VIDEO', 'MENU'] as const)
          await rejection(create(type, { url: bad }), 400, 'VALIDATION_ERROR', /data\.url/)
        await rejection(create('APP', { fallbackUrl: bad }), 400, 'VALIDATION_ERROR', /data\.fallbackUrl/)
        const links = [{ platform: 'x', url: bad }]
        await rejection(create('SOCIAL', { links }), 400, 'VALIDATION_ERROR', /data\.links\[0\]\.url/)
      }
      for (const good of ['http://example.com', 'HTTPS://EXAMPLE.COM/', 'https://münchen.example/ä?b=c#d'])
        assert.deepEqual((await create('URL', { url: good })).data, { url: good })
    })

    test('decisions 4: every url has at most 2,048 characters', async () => {
      const most = 'https://example.com/'.padEnd(2048, 'x')
      const code = await create('URL', { url: most })
      assert.equal((await of.scan(code.shortCode)).headers.get('location'), most)
      const longer = { url: `${most}x` }
      await rejection(create('URL', longer), 400, 'VALIDATION_ERROR', /data\.url.*2,?048/)
    })

    test('spec 1: a code has a display name, any text of one line', async () => {
      for (const name of ['Ä', '日本語 🎉', "'); drop table qr_codes;--", '<b>', 'x'.repeat(255)])
        assert.equal((await org.client.qrCodes.create(org.orgId, urlCode(name))).name, name)
      for (const name of ['', ' ', 'x'.repeat(256), 'a\nb', 7, null]) {
        const body = { ...urlCode('A'), name }
        await org.refused(['POST', '/qr-codes', { body }], 400, 'VALIDATION_ERROR', /name/)
      }
    })
  })
}
