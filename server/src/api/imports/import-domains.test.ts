import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { Page } from '@everscan/contract/schema/pages.ts'
import { applyLook } from '../../catalogue/domains/domain-proofs.ts'
import { createDomain } from '../../catalogue/domains/domains.ts'
import { someOrganization, someOrigin } from '../../catalogue/testing/catalogue.ts'
import { onEitherDatabase } from '../../db/testing/databases.ts'
import { proofName } from '../../dns-looks.ts'
import { openTestApi, publicUrl } from '../testing/api.ts'
import { ended, startImportWorker, upload } from '../testing/imports.ts'

const url = 'https://example.com/'

onEitherDatabase('domains of imported codes', (open) => {
  test('a row names its domain; an empty cell is the default one, and any other name fails the row', async () => {
    const db = await open()
    const api = await openTestApi(db)
    const { id: other } = await someOrganization(db, 'Other')
    const add = async (organizationId: string, hostname: string, fields = {}, isProved = true) => {
      const change = { origin: someOrigin, nowMs: Date.now() }
      const { proof } = await createDomain(db, organizationId, { hostname, fields, ...change })
      const found = isProved ? [{ type: 'TXT', name: proofName(hostname), value: proof }] : []
      await applyLook(db, hostname, { look: { found }, nowMs: change.nowMs })
    }
    await add(api.orgId, 'go.example.com', { isDefault: true })
    await add(api.orgId, 'old.example.com', { codes: 'exact' })
    await add(api.orgId, 'xn--bcher-kva.example')
    await add(api.orgId, 'wait.example.com', {}, false)
    await add(other, 'theirs.example.com')
    const jobs = startImportWorker(db)
    try {
      const publicHost = new URL(publicUrl).hostname
      const rows = [
        ['A', ''],
        ['B', 'OLD.example.com.'],
        ['C', 'bücher.example'],
        ['D', publicHost],
        ['E', 'wait.example.com'],
        ['F', 'theirs.example.com'],
        ['G', 'no host'],
      ]
      const file = ['name,url,domain', ...rows.map(([name, host]) => `${name},${url},${host}`)].join('\n')
      const answer = await upload(api, { file, fields: { type: 'URL' } })
      const job = await ended(api, answer)
      assert.deepEqual(
        job.errors.map(({ row, column, code }) => [row, column, code]),
        [
          [5, 'domain', 'DOMAIN_NOT_PROVED'],
          [6, 'domain', 'VALIDATION_ERROR'],
          [7, 'domain', 'VALIDATION_ERROR'],
        ],
      )
      assert.match(job.errors[0]?.error ?? '', /domain: "wait.example.com" is not proved yet/)
      assert.match(job.errors[1]?.error ?? '', /domain: must be a domain of this organization that is proved/)
      const path = `/organizations/${api.orgId}/qr-codes?order=asc&limit=100`
      const { data } = (await api.call('GET', path, { key: api.keys.VIEWER })).json<Page<QrCode>>()
      assert.deepEqual(
        data.map(({ name, shortUrl }) => [name, new URL(shortUrl).hostname]),
        [
          ['A', 'go.example.com'],
          ['B', 'old.example.com'],
          ['C', 'xn--bcher-kva.example'],
          ['D', publicHost],
        ],
      )
      const without = await upload(api, { file: `name,url\nH,${url}`, fields: { type: 'URL' } })
      assert.equal((await ended(api, without)).successCount, 1)
    } finally {
      await jobs.stop()
    }
  })
})
