import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createQrCode } from '../../catalogue/codes/qr-codes.ts'
import { someOrganization, someQrCode } from '../../catalogue/testing/catalogue.ts'
import { PasswordHash } from '../../catalogue/rows/password-hash.ts'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { staticFiles, type StaticFile } from './static-files.ts'
import { writeSite } from './write-site.ts'

const nowMs = Date.UTC(2026, 10, 25)
const never = new AbortController().signal

forEachDatabase('a static site', (open) => {
  test('has a page for each code, lines of settings, and the hosts of proved domains', async () => {
    const db = await open()
    const { id: organizationId } = await someOrganization(db)
    const domain = {
      organization_id: organizationId,
      proof: 'x',
      root_url: 'https://example.com/root',
      not_found_url: null,
      gone_url: 'https://example.com/gone',
      is_default: 0,
      codes: 'canonical',
      dns_found: '[]',
      created_at_ms: 1,
      updated_at_ms: 1,
    } as const
    await db.kysely
      .insertInto('domains')
      .values([
        { ...domain, id: 'dom_1', hostname: 'go.example.com', status: 'ACTIVE' },
        { ...domain, id: 'dom_2', hostname: 'new.example.com', status: 'PENDING' },
        { ...domain, id: 'dom_3', hostname: 'old.example.com', status: 'ACTIVE', codes: 'exact' },
      ])
      .execute()
    await db.kysely
      .insertInto('domain_hosts')
      .values(
        ['go.example.com', 'new.example.com', 'old.example.com'].map((hostname) => ({
          hostname,
          proved_at_ms: 1,
        })),
      )
      .execute()
    const create = async (fields: Parameters<typeof someQrCode>[0]) =>
      createQrCode(db, organizationId, someQrCode(fields))
    const onDomain = { id: 'dom_1', hostname: 'go.example.com' }
    await create({ shortCode: 'Oil-1', data: { url: 'https://example.com/?a=$b"{c}' } })
    await create({ shortCode: 'CARD', type: 'VCARD', data: { firstName: 'Ada', lastName: 'L' } })
    await create({
      shortCode: 'L0CKED',
      access: { closed: { message: 'Later <b>' } },
      passwordHash: new PasswordHash('x'),
    })
    await create({ shortCode: 'MENU', domain: onDomain })
    await create({ shortCode: 'PAST', domain: onDomain, status: 'ARCHIVED' })
    const exact = { domain: { id: 'dom_3', hostname: 'old.example.com' }, type: 'URL' } as const
    for (const shortCode of ['aBc', 'AbC', 'a+b.x', 'x/', 'x', 'n/', 'index.html', 'n/a.txt/b'])
      await create({ ...exact, shortCode, data: { url: `https://example.com/${shortCode.length}` } })
    await create({ shortCode: 'me', ...exact, type: 'VCARD', data: { firstName: 'Ada', lastName: 'L' } })

    const files = new Map<string, string>()
    for (const file of await Array.fromAsync(filesOf())) {
      assert.ok(!files.has(file.name), file.name)
      files.set(file.name, file.text)
    }
    assert.deepEqual(
      [...files.keys()].filter((name) => /^(nginx|caddy)\//.test(name)).sort(),
      ['caddy', 'nginx'].flatMap((server) =>
        ['go.example.com', 'old.example.com', 'qr.example.com'].map(
          (host) => `${server}/${host}/000001.${server === 'nginx' ? 'map' : 'caddy'}`,
        ),
      ),
    )
    assert.equal(
      files.get('nginx/qr.example.com/000001.map'),
      '"/Oil-1" "302 https://example.com/?a=${everscan_dollar}b%22{c}";\n' +
        '"/011-1" "302 https://example.com/?a=${everscan_dollar}b%22{c}";\n' +
        '"/CARD" "200 /CARD/index.html";\n"/CARD.vcf" "200 /CARD.vcf";\n' +
        '"/L0CKED" "403 /L0CKED/index.html";\n"/10CKED" "403 /10CKED/index.html";\n',
    )
    assert.match(
      files.get('caddy/go.example.com/000001.caddy') ?? '',
      /^redir \/MENU "https:\/\/example\.com\/" 302\nredir \/PAST "https:\/\/example\.com\/gone" 302\n$/,
    )
    assert.equal(
      files.get('nginx/old.example.com/000001.map'),
      '"~^/aBc$" "302 https://example.com/3";\n"~^/AbC$" "302 https://example.com/3";\n' +
        '"/a+b.x" "302 https://example.com/5";\n"~^/x$" "302 https://example.com/1";\n' +
        '"/n" "302 https://example.com/2";\n"/index.html" "302 https://example.com/10";\n' +
        '"/n/a.txt/b" "302 https://example.com/9";\n' +
        '"/me" "200 /me/index.html";\n"/me.vcf" "200 /me.vcf";\n',
    )
    assert.match(
      files.get('caddy/old.example.com/000001.caddy') ?? '',
      /^@x2f614263 path_regexp \^\/aBc\$\nredir @x2f614263 "https:\/\/example\.com\/3" 302\n/,
    )
    for (const name of ['aBc/index.html', '=index.html/index.html', '=n=a.txt=b/index.html', 'index.html'])
      assert.ok(files.has(`sites/old.example.com/${name}`), name)
    assert.match(files.get('sites/qr.example.com/L0CKED/index.html') ?? '', /Later &#60;b&#62;/)
    assert.match(files.get('sites/qr.example.com/CARD.vcf') ?? '', /^BEGIN:VCARD/)
    assert.match(files.get('sites/go.example.com/MENU/index.html') ?? '', /url=https:\/\/example\.com\//)
    assert.ok(!JSON.stringify([...files]).includes('new.example.com'))
    assert.match(files.get('nginx.conf') ?? '', /"\/" "302 https:\/\/example\.com\/root";/)

    function filesOf(): AsyncGenerator<StaticFile> {
      const publicUrl = 'https://qr.example.com'
      const folder = '/srv/everscan'
      const organizationIds = [organizationId]
      return staticFiles(db, { organizationIds, publicUrl, language: 'en', folder, nowMs })
    }
  })
})

test('a folder is brought up to date: only what differs is written, what is gone is deleted', async (t) => {
  const dir = mkdtempSync(join(tmpdir(), 'everscan-'))
  t.after(() => rmSync(dir, { recursive: true, force: true }))
  const site = join(dir, 'made', 'site')
  // As the service and its commands have it.
  const umask = process.umask(0o077)
  t.after(() => process.umask(umask))
  const write = async (files: readonly StaticFile[], signal = never) => {
    async function* given() {
      yield* files
    }
    return writeSite(site, given(), { signal, onProgress: () => undefined })
  }
  const page = { name: 'sites/h/A/index.html', text: 'a' }
  const map = { name: 'nginx/h/000001.map', text: 'm' }
  assert.deepEqual(await write([page, map, { name: 'README.txt', text: 'r' }]), {
    files: 3,
    written: 3,
    deleted: 0,
  })
  for (const [name, mode] of [
    [page.name, 0o644],
    ['sites/h/A', 0o755],
    ['sites', 0o755],
    ['..', 0o755],
  ] as const)
    assert.equal(statSync(join(site, name)).mode & 0o777, mode, name)
  assert.deepEqual(await write([page, { ...map, text: 'n' }]), { files: 2, written: 1, deleted: 0 })
  assert.equal(readFileSync(join(site, map.name), 'utf8'), 'n')
  // An interrupted write deletes nothing.
  await assert.rejects(write([page], AbortSignal.abort(new Error('interrupted'))), /interrupted/)
  assert.ok(statSync(join(site, map.name)).isFile())
  assert.deepEqual(await write([{ ...map, text: 'n' }]), { files: 1, written: 0, deleted: 1 })
  assert.deepEqual(readdirSync(join(site)).sort(), ['.everscan-static', 'README.txt', 'nginx', 'sites'])
  writeFileSync(join(dir, 'precious'), '')
  const files = (async function* () {
    yield page
  })()
  await assert.rejects(
    writeSite(dir, files, { signal: never, onProgress: () => undefined }),
    /holds other files, which a site would overwrite: choose an empty folder/,
  )
})
