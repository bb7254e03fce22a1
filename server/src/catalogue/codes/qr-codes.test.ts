import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '@everscan/contract/schema/limits.ts'
import { openChangeFeed } from '../../db/feeds/changes.ts'
import { inTransaction } from '../../db/database.ts'
import { isForeignKeyViolation } from '../../db/errors.ts'
import { openScanLookup } from '../../db/scans/scan-lookup.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { seededRandom } from '@everscan/contract/testing/random.ts'
import { someOrganization, somePicture, someQrCode, someOrigin } from '../testing/catalogue.ts'
import { createFolder } from './folders.ts'
import { createQrCode, readQrCode, updateQrCode } from './qr-codes.ts'
import { deleteQrCode } from './qr-code-deletion.ts'

const creates = process.env['SOAK'] === '1' ? 1_000 : 100
const conflict = { status: 409, code: 'CONFLICT' }
const wrongFolder = { status: 400, code: 'VALIDATION_ERROR', message: /^folderId: / }

const ruleOf = (id: string, name: string) => ({ id: `rul_${id}`, name, enabled: true, data: {} })

forEachDatabase('a QR code', (open) => {
  test('is returned by a read as it was created', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const folder = await createFolder(db, organizationId, { origin: someOrigin, name: 'Spring' })
    const night = { id: 'rul_1', name: 'Nacht 夜', enabled: true, when: { os: ['iOS'] }, data: { ssid: 'x' } }
    const created = await createQrCode(db, organizationId, {
      origin: someOrigin,
      type: 'WIFI',
      name: 'Gäste 客人 👋',
      data: { ssid: "Robert'); drop table qr_codes;--", password: '\u0000 "x"' },
      rules: [night],
      passQuery: true,
      access: { scanLimit: 7, startsAt: null, closed: { message: 'Später 夜' } },
      style: {
        foregroundColor: '#102030',
        gradient: { type: 'linear', angle: 3, colors: ['#000000', '#111111'] },
      },
      metadata: { campaign: 'spring', __proto__: 'x' },
      folderId: folder?.id,
      tags: [' b ', 'a', 'b', ''],
      shortCode: 'Spring-Lobby',
      picture: somePicture,
      nowMs: 1_770_000_000_123,
    })
    assert.deepEqual(await readQrCode(db, { organizationId, id: created.id }), created)
    const { id, ...rest } = created
    assert.match(id, /^qr_[0-9a-z]{26}$/)
    assert.deepEqual(rest, {
      organizationId,
      type: 'WIFI',
      name: 'Gäste 客人 👋',
      shortCode: 'Spring-Lobby',
      domainId: null,
      domain: '',
      codeKey: 'SPR1NG-10BBY',
      data: { ssid: "Robert'); drop table qr_codes;--", password: '\u0000 "x"' },
      rules: [night],
      formerRules: {},
      limitExcesses: [],
      passQuery: true,
      access: { scanLimit: 7, closed: { message: 'Später 夜' } },
      hasPassword: false,
      passwordHash: null,
      scanCount: 0,
      limitResets: 0,
      style: {
        foregroundColor: '#102030',
        gradient: { type: 'linear', angle: 3, colors: ['#000000', '#111111'] },
      },
      metadata: { campaign: 'spring' },
      status: 'ACTIVE',
      folderId: folder?.id,
      tags: ['b', 'a'],
      picture: somePicture,
      scannability: null,
      scansBefore: 0,
      totalScans: 0,
      uniqueScans: 0,
      version: 1,
      history: { version: 1, changed: [], changedAtMs: 1_770_000_000_123, changedBy: someOrigin.actor },
      createdAtMs: 1_770_000_000_123,
      updatedAtMs: 1_770_000_000_123,
    })
  })

  test('keeps the last names of rules that are gone, of the newest', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const [old, other] = [ruleOf('000', 'Old'), ruleOf('001', 'Other')]
    const code = await createQrCode(db, organizationId, someQrCode({ rules: [old, other] }))
    const key = { organizationId, id: code.id }
    const formerAfter = async (rules: (typeof old)[]) =>
      (await updateQrCode(db, key, { origin: someOrigin, rules }))?.formerRules
    assert.deepEqual(await formerAfter([{ ...old, name: 'Renamed' }]), { rul_001: 'Other' })
    assert.deepEqual(
      await formerAfter([other]),
      { rul_000: 'Renamed' },
      'a rule that is back has its own name',
    )
    const many = Array.from({ length: limits.formerRulesMax }, (_, at) =>
      ruleOf(String(100 + at), `Rule ${at}`),
    )
    await formerAfter(many)
    const former = await formerAfter([])
    assert.deepEqual(
      Object.keys(former ?? {}),
      many.map(({ id }) => id),
    )
    assert.deepEqual((await readQrCode(db, key))?.formerRules, former)
    const same = await updateQrCode(db, key, { origin: someOrigin, name: 'Other' })
    assert.deepEqual(same?.formerRules, former, 'untouched by other changes')
  })

  test('of another organization cannot be read, changed or deleted', async () => {
    const db = await open()
    const mine = await someOrganization(db, 'Mine')
    const theirs = await someOrganization(db, 'Theirs')
    const { id } = await createQrCode(db, theirs.id, someQrCode())
    const key = { organizationId: mine.id, id }
    assert.equal(await readQrCode(db, key), undefined)
    assert.equal(await updateQrCode(db, key, { origin: someOrigin, name: 'Mine now' }), undefined)
    assert.equal(await deleteQrCode(db, key, { origin: someOrigin }), undefined)
    assert.equal((await readQrCode(db, { organizationId: theirs.id, id }))?.name, 'Poster')
  })

  test('cannot move into a folder of another organization: 400, and the database itself rejects the row', async () => {
    const db = await open()
    const mine = await someOrganization(db, 'Mine')
    const theirs = await someOrganization(db, 'Theirs')
    const folder = await createFolder(db, theirs.id, { origin: someOrigin, name: 'Secret' })
    const folderId = folder?.id ?? ''
    await assert.rejects(createQrCode(db, mine.id, someQrCode({ folderId })), wrongFolder)
    const { id } = await createQrCode(db, mine.id, someQrCode())
    await assert.rejects(
      updateQrCode(db, { organizationId: mine.id, id }, { origin: someOrigin, folderId }),
      wrongFolder,
    )
    const raw = db.kysely.updateTable('qr_codes').set({ folder_id: folderId }).where('id', '=', id)
    await assert.rejects(raw.execute(), isForeignKeyViolation)
    const move = db.kysely.updateTable('qr_codes').set({ organization_id: theirs.id }).where('id', '=', id)
    await assert.rejects(move.execute(), isForeignKeyViolation)
    const tag = { organization_id: theirs.id, qr_code_id: id, tag: 'x', position: 0 }
    await assert.rejects(db.kysely.insertInto('qr_code_tags').values(tag).execute(), isForeignKeyViolation)
  })

  test('changes only given fields: style and metadata merge, null removes a key, data and tags are replaced', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const folder = await createFolder(db, organizationId, { origin: someOrigin, name: 'Spring' })
    const created = await createQrCode(
      db,
      organizationId,
      someQrCode({
        style: { foregroundColor: '#000000', cornerRadius: 10 },
        metadata: { a: '1', b: '2' },
        folderId: folder?.id,
        tags: ['x', 'y'],
        nowMs: 1000,
      }),
    )
    const key = { organizationId, id: created.id }
    const changed = await updateQrCode(db, key, {
      origin: someOrigin,
      data: { url: 'https://example.org/' },
      style: { cornerRadius: null, backgroundColor: '#FFFFFF' },
      metadata: { a: null, c: '3' },
      folderId: null,
      tags: ['z', 'x'],
      status: 'ARCHIVED',
      picture: { version: 4, mask: 0 },
      nowMs: 2000,
    })
    assert.deepEqual(changed, {
      ...created,
      data: { url: 'https://example.org/' },
      style: { foregroundColor: '#000000', backgroundColor: '#FFFFFF' },
      metadata: { b: '2', c: '3' },
      folderId: null,
      tags: ['z', 'x'],
      status: 'ARCHIVED',
      picture: { version: 4, mask: 0 },
      version: 2,
      history: {
        version: 2,
        changed: ['data', 'style', 'status'],
        changedAtMs: 2000,
        changedBy: someOrigin.actor,
      },
      updatedAtMs: 2000,
    })
    assert.deepEqual(await readQrCode(db, key), changed)
    assert.deepEqual(
      await updateQrCode(db, key, { origin: someOrigin }),
      changed,
      'a call without fields changes nothing',
    )
    const renamed = await updateQrCode(db, key, {
      origin: someOrigin,
      name: 'New',
      status: 'ACTIVE',
      nowMs: 1500,
    })
    assert.deepEqual(renamed, {
      ...changed,
      name: 'New',
      status: 'ACTIVE',
      version: 3,
      history: { version: 3, changed: ['name', 'status'], changedAtMs: 2000, changedBy: someOrigin.actor },
      updatedAtMs: 2000,
    })
  })

  test('412 if the code was changed since the version that the caller read', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const { id } = await createQrCode(db, organizationId, someQrCode())
    const key = { organizationId, id }
    const precondition = { status: 412, code: 'PRECONDITION_FAILED' }
    assert.equal((await updateQrCode(db, key, { origin: someOrigin, name: 'Two', ifVersion: 1 }))?.version, 2)
    await assert.rejects(
      updateQrCode(db, key, { origin: someOrigin, name: 'Three', ifVersion: 1 }),
      precondition,
    )
    await assert.rejects(deleteQrCode(db, key, { origin: someOrigin, ifVersion: 1 }), precondition)
    assert.equal((await deleteQrCode(db, key, { origin: someOrigin, ifVersion: 2 }))?.name, 'Two')
    assert.equal(await deleteQrCode(db, key, { origin: someOrigin }), undefined)
    assert.equal(await updateQrCode(db, key, { origin: someOrigin, name: 'Four' }), undefined)
  })

  test('loses no change among many simultaneous changes', async () => {
    const db = await open()
    const other = await open({ same: db })
    const { id: organizationId } = await someOrganization(db)
    const { id } = await createQrCode(db, organizationId, someQrCode())
    const changes = Array.from({ length: 30 }, (_, index) =>
      updateQrCode(
        index % 2 === 0 ? db : other,
        { organizationId, id },
        { origin: someOrigin, metadata: { [`k${index}`]: 'v' } },
      ),
    )
    await Promise.all(changes)
    const code = await readQrCode(db, { organizationId, id })
    assert.equal(Object.keys(code?.metadata ?? {}).length, 30)
    assert.equal(code?.version, 31)
  })

  test('409 for a short code that was ever assigned: in any spelling, to any organization, also after deletion', async () => {
    const db = await open()
    const mine = await someOrganization(db, 'Mine')
    const theirs = await someOrganization(db, 'Theirs')
    const { id } = await createQrCode(db, theirs.id, someQrCode({ shortCode: 'Hello-01' }))
    await assert.rejects(createQrCode(db, mine.id, someQrCode({ shortCode: 'hElLO-OI' })), conflict)
    await deleteQrCode(db, { organizationId: theirs.id, id }, { origin: someOrigin })
    await assert.rejects(createQrCode(db, theirs.id, someQrCode({ shortCode: 'HELLO-0l' })), conflict)
  })

  test('a taken short code leaves the surrounding transaction usable', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    await createQrCode(db, organizationId, someQrCode({ shortCode: 'TAKEN' }))
    await inTransaction(db, async (tx) => {
      await assert.rejects(createQrCode(tx, organizationId, someQrCode({ shortCode: 'TAKEN' })), conflict)
      await createQrCode(tx, organizationId, someQrCode({ shortCode: 'FREE' }))
    })
  })

  test(`${creates} simultaneous creations in a small space of short codes all differ, and no short code is reused`, async () => {
    const db = await open()
    const other = await open({ same: db })
    const { id: organizationId } = await someOrganization(db)
    const space = creates * 4
    const random = seededRandom()
    const drawn = () => `S${String(Math.floor(random() * space)).padStart(4, '0')}`
    const drawnFor: string[] = []
    const create = (index: number) =>
      createQrCode(index % 2 === 0 ? db : other, organizationId, {
        ...someQrCode(),
        createShortCode: drawn,
        picture: (shortCode) => {
          drawnFor.push(shortCode)
          return { version: 1, mask: Number(shortCode.slice(1)) % 8 }
        },
      })
    const first = await Promise.all(Array.from({ length: creates }, (_, index) => create(index)))
    await Promise.all(first.map(({ id }) => deleteQrCode(db, { organizationId, id }, { origin: someOrigin })))
    const second = await Promise.all(Array.from({ length: creates }, (_, index) => create(index)))
    const codes = [...first, ...second]
    assert.equal(new Set(codes.map((code) => code.shortCode)).size, creates * 2)
    assert.ok(drawnFor.length >= creates * 2, `${drawnFor.length} tries`)
    for (const code of codes)
      assert.equal(
        code.picture.mask,
        Number(code.shortCode.slice(1)) % 8,
        'the picture belongs to its own code',
      )
  })

  test('a reserved word is never drawn', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const words = ['HEA1THZ', 'METR1CS', '7K3M9QX']
    const code = await createQrCode(
      db,
      organizationId,
      someQrCode({ createShortCode: () => words.shift() ?? '' }),
    )
    assert.equal(code.shortCode, '7K3M9QX')
  })

  test('creation, change, archiving and deletion are each visible to the next scan', async () => {
    const db = await open()
    const front = await open({ same: db, role: 'reader' })
    const feed = openChangeFeed(front)
    const scans = openScanLookup(front)
    try {
      await feed.catchUp()
      const { id: organizationId } = await someOrganization(db)
      assert.equal(await scans.lookup('ABC-123'), undefined)

      const { id } = await createQrCode(db, organizationId, someQrCode({ shortCode: 'abc-i23' }))
      assert.deepEqual(await feed.catchUp(), ['ABC-123'])
      assert.deepEqual(await scans.lookup('ABC-123'), {
        organizationId,
        qrCodeId: id,
        codeKey: 'ABC-123',
        shortCode: '',
        status: 'ACTIVE',
        type: 'URL',
        name: '',
        data: { url: 'https://example.com/' },
        style: undefined,
        brand: {},
      })

      const page = {
        type: 'TEXT',
        data: { text: 'Hello' },
        style: { margin: 5 },
        shortCode: 'page-1',
      } as const
      const { id: pageId } = await createQrCode(db, organizationId, someQrCode(page))
      await db.kysely.updateTable('organizations').set({ public_name: 'Mine' }).execute()
      await feed.catchUp()
      assert.deepEqual(await scans.lookup('PAGE-1'), {
        ...page,
        organizationId,
        qrCodeId: pageId,
        codeKey: 'PAGE-1',
        status: 'ACTIVE',
        name: 'Poster',
        brand: { name: 'Mine' },
      })

      const key = { organizationId, id }
      await updateQrCode(db, key, { origin: someOrigin, data: { url: 'https://example.org/' }, tags: ['a'] })
      assert.deepEqual(await feed.catchUp(), ['ABC-123'])
      assert.deepEqual((await scans.lookup('ABC-123'))?.data, { url: 'https://example.org/' })

      await updateQrCode(db, key, { origin: someOrigin, status: 'ARCHIVED' })
      assert.deepEqual(await feed.catchUp(), ['ABC-123'])
      assert.equal((await scans.lookup('ABC-123'))?.status, 'ARCHIVED')

      await deleteQrCode(db, key, { origin: someOrigin })
      assert.deepEqual(await feed.catchUp(), ['ABC-123'])
      assert.deepEqual(await scans.lookup('ABC-123'), {
        organizationId,
        qrCodeId: id,
        codeKey: 'ABC-123',
        shortCode: 'abc-i23',
        status: 'DELETED',
        type: '',
        name: '',
        data: undefined,
        style: undefined,
        brand: {},
      })
      assert.deepEqual(await feed.catchUp(), [])
    } finally {
      await feed.close()
      await scans.close()
    }
  })
})
