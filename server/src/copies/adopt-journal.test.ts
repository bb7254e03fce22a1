import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, test } from 'node:test'
import { startTestStore } from '../analytics/testing/store.ts'
import { forEachDatabase } from '../db/testing/databases.ts'
import { insertCode } from '../db/testing/codes.ts'
import { tellHeads } from '../db/feeds/journal-heads.ts'
import { ensureInstallation } from '../db/installation.ts'
import {
  openTestJournal,
  record,
  someScan,
  startTestIngest,
  stopTestIngests,
  storedOf,
  until,
} from '../ingest/testing/ingest.ts'
import { readWriters } from '../journal/reader.ts'
import { lockDataDir } from '../processes/data-dir.ts'
import { markJournals } from '../processes/journal-owners.ts'
import { adoptJournals } from './adopt-journal.ts'

const root = mkdtempSync(join(tmpdir(), 'everscan-adopt-'))
const { store, remove } = await startTestStore()
afterEach(stopTestIngests)
after(async () => {
  await remove()
  rmSync(root, { recursive: true })
})

let visitors = 0
let cases = 0

forEachDatabase('the journal of a machine that is gone', (open) => {
  async function newCase() {
    const db = await open()
    const organizationId = `org_adopt_${++cases}`
    const [dead, dataDir] = ['dead', 'alive'].map((name) => join(root, `${name}-${cases}`)) as [
      string,
      string,
    ]
    for (const dir of [dead, dataDir]) mkdirSync(join(dir, 'journal'), { recursive: true })
    const { id } = await ensureInstallation(db)
    await insertCode(db, organizationId, 'qr_1')
    const journal = openTestJournal(join(dead, 'journal'), 'front-0')
    const scan = async (count: number): Promise<void> =>
      record(
        journal,
        Array.from({ length: count }, () => someScan({ organizationId, visitor: ++visitors })),
      )
    markJournals(join(dead, 'journal'), id)
    const rows = async (): Promise<number> => (await storedOf(store, organizationId)).rows
    return { db, dead, dataDir, journal, scan, rows }
  }

  test('its last scans are counted once, on another machine, also if it starts again', async () => {
    const { db, dead, dataDir, journal, scan, rows } = await newCase()
    await scan(20)
    const first = await startTestIngest({ db, store, journalRoot: join(dead, 'journal') })
    await until(async () => (await rows()) === 20)
    await first.stop()
    await scan(7)
    await journal.close()

    await startTestIngest({ db, store, journalRoot: join(dataDir, 'journal') })
    const adopted = await adoptJournals(db, { from: dead, dataDir })
    assert.deepEqual(adopted, { scans: 7, folders: [join(dead, 'journal', 'front-0')], left: [] })
    await until(async () => (await rows()) === 27)
    assert.deepEqual(readdirSync(join(dead, 'journal')), ['kept'])
    assert.ok(existsSync(join(dead, 'journal-adopted', 'front-0')))
    await assert.rejects(adoptJournals(db, { from: dead, dataDir }), /has no journal of a front/)

    // As if the command had been killed before it set the folder aside.
    renameSync(join(dead, 'journal-adopted', 'front-0'), join(dead, 'journal', 'front-0'))
    await adoptJournals(db, { from: join(dead, 'journal'), dataDir })
    await new Promise((resolve) => setTimeout(resolve, 300))
    assert.equal(await rows(), 27)
    assert.equal(
      readdirSync(join(dataDir, 'journal')).filter((name) => name.startsWith('adopted-')).length,
      1,
    )
  })

  test('a journal of another installation, of a live machine, or of this one is refused', async () => {
    const { db, dead, dataDir, journal, scan } = await newCase()
    await scan(1)
    await journal.close()
    const call = (from = dead) => adoptJournals(db, { from, dataDir })
    await assert.rejects(call(join(root, 'nowhere')), /nowhere does not exist/)
    await assert.rejects(call(dataDir), /is the DATA_DIR of this machine/)

    const lock = await lockDataDir(dead)
    await assert.rejects(call(), /a service runs on .*dead/)
    lock.release()

    const writer = readWriters(join(dead, 'journal', 'front-0')).at(-1)?.writer ?? ''
    const heads = [{ writer, sequence: 1 }]
    await tellHeads(db, { machine: 'web-2:/data', request: 0, heads })
    await assert.rejects(call(), /belongs to the machine web-2:\/data, which reported/)
    await tellHeads(db, { machine: 'web-2:/data', request: 0, heads: [] })

    cpSync(join(dead, 'journal', 'front-0'), join(dataDir, 'journal', 'front-0'), { recursive: true })
    await assert.rejects(call(), /is a copy of .*alive.*front-0/)
    rmSync(join(dataDir, 'journal', 'front-0'), { recursive: true })

    markJournals(join(dead, 'journal'), 'ins_00000000000000000000000009')
    await assert.rejects(call(), /belong to installation ins_0+9, and the catalogue to/)
    assert.deepEqual(readdirSync(join(dataDir, 'journal')), [])
  })
})
