import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createQrCode } from '../../catalogue/codes/qr-codes.ts'
import { deleteQrCode } from '../../catalogue/codes/qr-code-deletion.ts'
import { applyLook } from '../../catalogue/domains/domain-proofs.ts'
import { createDomain, deleteDomain, readDomain, updateDomain } from '../../catalogue/domains/domains.ts'
import { someOrganization, someQrCode } from '../../catalogue/testing/catalogue.ts'
import { reserveShortCodes } from '../../db/scans/reserved-codes.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { checkRandomCodes } from './testing/exact-codes.ts'
import { someChanges, startHostFront } from './testing/host-fronts.ts'

const { change, lookOf } = someChanges()
const hostname = 'old.example.com'

onEitherDatabase('exact short codes', (open) => {
  test('1,000 random codes of five letters each lead to their own destination', async () => {
    await checkRandomCodes(await open(), 1_000)
  })

  test('case counts; endings and what programs append count only without a code of that name', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const fields = { codes: 'exact' } as const
    const domain = await createDomain(db, organizationId, { hostname, fields, ...change() })
    await applyLook(db, hostname, lookOf(hostname, [domain.proof]))
    const make = async (shortCode: string) => {
      const data = { url: `https://example.com/?code=${encodeURIComponent(shortCode)}` }
      return createQrCode(db, organizationId, someQrCode({ shortCode, domain, data }))
    }
    const some = [
      'aBc',
      'AbC',
      'a',
      'docs',
      'api',
      'x.',
      'x',
      'dir/Sub',
      'dir',
      '~a+b_c',
      'card.vcf',
      'MENU',
      'y_',
      'y',
    ]
    for (const shortCode of some) assert.equal((await make(shortCode)).codeKey, `${hostname}/${shortCode}`)
    const card = { type: 'VCARD', data: { firstName: 'Ada', lastName: 'L' } } as const
    await createQrCode(db, organizationId, someQrCode({ ...card, shortCode: 'card', domain }))
    await createQrCode(db, organizationId, someQrCode({ ...card, shortCode: 'Ada', domain }))
    const gone = await make('gone.')
    await make('gone')
    await deleteQrCode(db, { organizationId, id: gone.id }, change())
    for (const shortCode of ['aBc', 'gone.', 'MENU']) await assert.rejects(make(shortCode), { status: 409 })
    for (const shortCode of ['a//b', '/a', '..', 'a b', 'robots.txt', '.well-known/acme-challenge/x'])
      await assert.rejects(make(shortCode), { status: 400 }, shortCode)

    const front = await startHostFront(db)
    const ask = async (path: string) => front.ask(path, { host: hostname })
    try {
      for (const shortCode of some) {
        const location = `https://example.com/?code=${encodeURIComponent(shortCode)}`
        assert.deepEqual(await ask(`/${shortCode}`), { status: 302, location }, shortCode)
        assert.deepEqual(await ask(`/${shortCode}?utm=1`), { status: 302, location }, shortCode)
      }
      for (const [path, shortCode] of [
        ['/aBc/', 'aBc'],
        ['/AbC).', 'AbC'],
        ['/%61Bc', 'aBc'],
        ['/dir%2FSub,', 'dir/Sub'],
        ['/x..', 'x'],
        ['/x.', 'x.'],
        ['/y_', 'y_'],
        ['/y__', 'y'],
        ['/y_%E2%80%9D', 'y'],
        ['/aBc%E3%80%82', 'aBc'],
        ['/dir/Sub](https://x/dir/Sub)', 'dir/Sub'],
        ['/aBc&x=1', 'aBc'],
      ] as const)
        assert.equal(
          (await ask(path)).location,
          `https://example.com/?code=${encodeURIComponent(shortCode)}`,
          path,
        )
      for (const path of [
        '/abc',
        '/ABC',
        '/DOCS',
        '/menu',
        '/aBc.vcf',
        '/dir/sub',
        '/dir//Sub',
        '/%',
        '/%ff',
      ])
        assert.equal((await ask(path)).status, 404, path)
      // It has a contact, and its name with the ending is another code.
      assert.equal((await ask('/Ada.vcf')).status, 200)
      assert.equal((await ask('/card.vcf')).status, 302)
      assert.equal((await ask('/gone.')).status, 410, 'the code of that very name, although it is deleted')
      // The API answers these, which is not running here.
      for (const path of ['/robots.txt', '/favicon.ico', '/.well-known/security.txt'])
        assert.equal((await ask(path)).status, 503, path)
      assert.equal((await front.ask('/docs', { host: hostname }, 'POST')).status, 405)
    } finally {
      await front.close()
    }
  })

  test('the form of codes is fixed by the first one on the host name, whoever has it later', async () => {
    const db = await open()
    const { id: one } = await someOrganization(db, 'One')
    const { id: other } = await someOrganization(db, 'Other')
    const mine = await createDomain(db, one, { hostname, fields: {}, ...change() })
    const theirs = await createDomain(db, other, { hostname, fields: { codes: 'exact' }, ...change() })
    const [key, theirKey] = [
      { organizationId: one, id: mine.id },
      { organizationId: other, id: theirs.id },
    ]
    const set = async (codes: 'exact' | 'canonical') =>
      updateDomain(db, key, { fields: { codes }, ...change() })
    await applyLook(db, hostname, lookOf(hostname, [mine.proof]))
    assert.equal((await set('exact'))?.codes, 'exact')
    assert.equal((await set('canonical'))?.codes, 'canonical')
    await createQrCode(db, one, someQrCode({ shortCode: 'Menu', domain: mine }))
    await assert.rejects(set('exact'), { status: 409, message: /codes: .*stay canonical/ })
    assert.equal((await set('canonical'))?.codes, 'canonical', 'the same value changes nothing')

    // The host passes on: codes of the first go on answering in any letter case.
    await applyLook(db, hostname, lookOf(hostname, [theirs.proof]))
    assert.equal((await readDomain(db, theirKey))?.codes, 'canonical')
    const front = await startHostFront(db)
    try {
      assert.equal((await front.ask('/mENU', { host: hostname })).status, 302)
    } finally {
      await front.close()
    }
    await deleteDomain(db, theirKey, change())
    await assert.rejects(createDomain(db, other, { hostname, fields: { codes: 'exact' }, ...change() }), {
      status: 409,
    })
    const again = await createDomain(db, other, { hostname, fields: {}, ...change() })
    assert.equal(again.codes, 'canonical')
  })

  test('codes that an older copy of the catalogue lacks are reserved as they were printed', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const fields = { codes: 'exact' } as const
    const domain = await createDomain(db, organizationId, { hostname, fields, ...change() })
    await applyLook(db, hostname, lookOf(hostname, [domain.proof]))
    const lost = { organizationId, qrCodeId: 'qr_lost', shortCode: 'aBc', domain: hostname }
    assert.deepEqual(await reserveShortCodes(db, [lost]), [`${hostname}/aBc`])
    await assert.rejects(createQrCode(db, organizationId, someQrCode({ shortCode: 'aBc', domain })), {
      status: 409,
    })
    assert.equal(
      (await createQrCode(db, organizationId, someQrCode({ shortCode: 'abc', domain }))).version,
      1,
    )
    const canonical = { fields: { codes: 'canonical' } as const, ...change() }
    await assert.rejects(updateDomain(db, { organizationId, id: domain.id }, canonical), { status: 409 })
  })
})
