// Left to the soak: `api/organizations/installation` has the facts, `dashboard/widths` the page.
// Copies and events of the installation, in the settings of its operator.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Problem } from '@everscan/contract/problems/problem.ts'
import { sql } from 'kysely'
import { readMachines, reportMachine, stopMachine } from '../../src/catalogue/installation/machines.ts'
import type { Database } from '../../src/db/database.ts'
import { addInstallationNote, type InstallationNote } from '../../src/db/installation.ts'
import { changeScanLosses, forgetScanLosses } from '../../src/db/scans/scan-losses.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { silentLog } from '../../src/db/testing/templates.ts'
import { openDashboard, type Dashboard } from '../support/dashboard.ts'
import { until } from '../support/service.ts'

const hourMs = 3_600_000

describe('copies in the settings', { concurrency: 1 }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'everscan-dashboard-copies-'))
  let dashboard: Dashboard
  let db: Database

  before(async () => {
    mkdirSync(join(directory, 'backup'))
    dashboard = await openDashboard({ BACKUP_DIR: join(directory, 'backup') })
    db = await openDatabase({
      databaseUrl: undefined,
      dataDir: dashboard.service.dataDir,
      role: 'writer',
      log: silentLog,
    })
  })
  after(async () => {
    await db.close()
    await dashboard.close()
    rmSync(directory, { recursive: true })
  })

  const addCopy = async (hoursAgo: number, fields: { problem?: string; verified?: boolean }) => {
    const madeAtMs = Date.now() - hoursAgo * hourMs
    const { problem, verified = false } = fields
    const isMade = problem === undefined
    await db.kysely
      .insertInto('copies')
      .values({
        id: `cpy_${String(madeAtMs).padStart(26, '0')}`,
        made_at_ms: madeAtMs,
        machine: 'qr-1',
        path: isMade ? `/mnt/backup/everscan-${hoursAgo}-hours-ago-20261123T041500Z.copy` : '/mnt/backup',
        bytes: isMade ? 48_300_000 : null,
        state: !isMade ? 'FAILED' : verified ? 'VERIFIED' : 'CHECKED',
        problem: problem ?? null,
        failures: isMade ? 0 : 1,
        checked_at_ms: isMade ? madeAtMs + 60_000 : null,
        verified_at_ms: verified ? madeAtMs + 120_000 : null,
        ended_at_ms: Date.now(),
        counts: isMade
          ? JSON.stringify({ organizations: 3, codes: 1_204, scans: 4_812_333, frames: 12 })
          : null,
        lease_number: 1,
      })
      .execute()
  }

  test('the last copy, the last verified one, the schedule and missing encryption are shown', async () => {
    const { page, open, look } = dashboard
    await addCopy(27, { verified: true })
    await addCopy(3, { verified: true })
    await open('/settings')
    await page.getByRole('link', { name: 'Copies', exact: true }).click()
    await page.getByText('48.3 MB: 1,204 codes and 4,812,333 scans').waitFor()
    await page.getByText('Every day; the newest 7 are kept.').waitFor()
    await page.getByText('Anyone with these files has every secret in them').waitFor()
    await page.getByText('Nothing unusual').waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    await look('copies')
    const places = page.getByRole('heading', { name: 'Places of scans' })
    assert.equal(await page.getByText(/^IPv[46] data built$/).count(), 2)
    await places.scrollIntoViewIfNeeded()
    await look('copies-places')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.reload()
    await page.getByText('Every day; the newest 7 are kept.').waitFor()
    const tab = await page.getByRole('link', { name: 'Copies', exact: true }).boundingBox()
    assert.ok(tab !== null && tab.x + tab.width <= 390, 'the current tab is visible on a phone')
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('a failure is at the top with its sentence, and events are told in plain words', async () => {
    const { page, look } = dashboard
    const problem =
      'no copy could be made: BACKUP_DIR /mnt/backup does not exist: mount or create it, for the user of the service'
    await addCopy(0, { problem })
    const notes: readonly InstallationNote[] = [
      { kind: 'catalogue-behind', detail: { hits: 1_200, reserved: ['AB2', 'CD3'] } },
      { kind: 'scans-put-back', detail: { hits: 31 } },
      {
        kind: 'scans-lost',
        detail: {
          days: [
            { day: '2026-11-02', hits: 3 },
            { day: '2026-11-01', hits: 4 },
          ],
        },
      },
      { kind: 'visitors-by-64', detail: {} },
      { kind: 'adopted', detail: { what: 'scan-store' } },
      { kind: 'restored', detail: { madeAt: '2026-11-01T04:15:00.000Z' } },
    ]
    for (const note of notes) await addInstallationNote(db, note, Date.now())
    await page.reload()
    await page
      .getByRole('alert')
      .getByText('No copy could be made: BACKUP_DIR /mnt/backup does not exist')
      .waitFor()
    await page.getByText('Everscan retries within').waitFor()
    await page.getByText('Scans of the scan store that it lacked: 1,200.').waitFor()
    await page.getByText('2 codes that it lacked are reserved.').waitFor()
    await page
      .getByText('Scans of 1 November 2026 to 2 November 2026 that are permanently lost: 7.')
      .waitFor()
    await page.getByText('The operator adopted a scan store').waitFor()
    await page.getByText('Everything was restored from the copy of Sunday').waitFor()
    await look('copies-failed')
  })

  test('lost scans stand at the top until they return or the loss is accepted', async () => {
    const { page, look } = dashboard
    const days = [Date.UTC(2026, 10, 1), Date.UTC(2026, 10, 3)].map((ms) => ms / 86_400_000)
    await changeScanLosses(
      db,
      days.map((day) => ({ writer: 'w', day, hits: 6_000 })),
    )
    await page.reload()
    await page
      .getByRole('alert')
      .getByText('Lost scans of 1 November 2026 to 3 November 2026: 12,000.')
      .waitFor()
    await page.getByText('or accept the loss on the server with “./everscan adopt losses”').waitFor()
    await look('copies-lost')
    await forgetScanLosses(db)
    await page.reload()
    await page.getByText('Every day; the newest 7 are kept.').waitFor()
    assert.equal(await page.getByText(/^Lost scans of/).count(), 0)
  })

  test('machines are listed with their state, and settings that differ are told', async () => {
    const { page, look } = dashboard
    assert.equal(await page.getByRole('heading', { name: 'Machines' }).count(), 0, 'one has none to compare')
    const settings = { RATE_LIMIT_PER_MINUTE: '3000' }
    const other = { release: '1.4.0', settings, waitingBytes: 0, problem: null }
    const start = { isStart: true }
    await reportMachine(db, { ...other, name: 'web-2.example:/var/lib/everscan' }, start)
    const full: Problem = {
      problem: 'diskNearlyFull',
      values: { freeBytes: 9, sizeBytes: 99 },
      message: 'disk: nearly full: 9 of 99 bytes are free under DATA_DIR',
    }
    await reportMachine(
      db,
      { ...other, name: 'web-3.example:/data', problem: full, waitingBytes: 48_300 },
      start,
    )
    await reportMachine(db, { ...other, name: 'web-4.example:/data' }, start)
    await sql`update machines set seen_at_ms = seen_at_ms - 600000 where name like 'web-4%'`.execute(
      db.kysely,
    )
    await reportMachine(db, { ...other, name: 'web-5.example:/data' }, start)
    await stopMachine(db, 'web-5.example:/data')
    await page.reload()
    await page.getByText('RATE_LIMIT_PER_MINUTE differs between machines').waitFor()
    await page.getByText('It no longer reports, although nobody stopped it.').waitFor()
    await page.getByText('48.3 kB of scans are waiting').waitFor()
    await page.getByText('Disk: nearly full: 9 of 99 bytes are free under DATA_DIR.').waitFor()
    await page.getByRole('heading', { name: 'Machines' }).scrollIntoViewIfNeeded()
    await look('machines')
    await sql`update machines set seen_at_ms = seen_at_ms - 600000 where name not like 'web-%'`.execute(
      db.kysely,
    )
    const own = async () => (await readMachines(db)).find(({ name }) => !name.startsWith('web-'))
    assert.equal((await own())?.state, 'SILENT')
    await until('it reports, though nobody asks', async () => (await own())?.state === 'LIVE')
    const told = (await dashboard.service.readiness()).parts['machines']?.detail ?? ''
    assert.match(told, /RATE_LIMIT_PER_MINUTE differs/)
  })

  test('the operator sees who sent mails, stops those of an organization and allows them again', async () => {
    const { page, open, look, orgId } = dashboard
    const [key] = await db.kysely.selectFrom('users').select(['id', 'email']).execute()
    const row = { day: Math.floor(Date.now() / 86_400_000), organization_id: orgId, sender_id: key?.id ?? '' }
    await db.kysely
      .insertInto('mail_counts')
      .values([
        { ...row, kind: 'consent', domain: 'a-rather-long-name.elsewhere.example', mails: 120, refused: 7 },
        { ...row, kind: 'invitation', domain: 'example.com', mails: 1, refused: 0 },
      ])
      .execute()
    await open('/settings/copies')
    await page.getByText('Questions for consent: 120 e-mails to a-rather-long-name').waitFor()
    const stops = page.getByRole('button', { name: /^Stop e-mails: / })
    assert.equal(await stops.count(), 1, 'one button for an organization, not for each row')
    await look('sent-mails')
    await stops.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop e-mails' }).click()
    await page
      .getByRole('button', { name: /^Allow e-mails: / })
      .first()
      .waitFor()
    await open('/settings')
    await page.getByText('has stopped the e-mails of this organization').waitFor()
    await look('mails-stopped')
    await open('/settings/copies')
    await page
      .getByRole('button', { name: /^Allow e-mails: / })
      .first()
      .click()
    await page
      .getByRole('button', { name: /^Stop e-mails: / })
      .first()
      .waitFor()
  })

  test('another organization has no such page and learns nothing from its URL', async () => {
    const { page, service } = dashboard
    await page.goto(`${service.baseUrl}/app/new-organization`)
    await page.getByLabel('Name').fill('A tenant')
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Proxy check' }).waitFor()
    await page.getByLabel('Name', { exact: true }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Copies', exact: true }).count(), 0)
    await page.goto(`${page.url().replace(/\/settings.*/, '')}/settings/copies`)
    await page.getByText('Only the organization of the operator sees the copies.').waitFor()
    assert.deepEqual(dashboard.problems, [])
  })
})
