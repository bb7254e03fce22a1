import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { describe, test } from 'node:test'
import { sqliteFile } from '../dialects/sqlite.ts'
import { programArgs } from '../testing/program-args.ts'
import type { CataloguePlace } from './catalogue-snapshot.ts'
import { given, kinds, newCatalogue, newPlace, readDump, textsOf } from './testing/dump.ts'
import { fillCatalogue } from './testing/fixture.ts'
import { loadCatalogue, whatIsIn } from './load-catalogue.ts'

/** Loads one catalogue into another place, reports in the middle and waits there for ever. */
const program = `
  import { pino } from 'pino'
  import { withCatalogueSnapshot } from '${import.meta.dirname}/dump-catalogue.ts'
  import { loadCatalogue } from '${import.meta.dirname}/load-catalogue.ts'
  const [source, target, where] = process.argv.slice(1).map((text) => JSON.parse(text))
  const log = pino({ level: 'silent' })
  const wait = () => {
    process.stdout.write('here')
    return new Promise(() => setInterval(() => undefined, 1_000))
  }
  await withCatalogueSnapshot({ ...source, log }, async ({ migrations, tables, rows }) => {
    const parts = async function* () {
      for (const table of tables) {
        if (table === where) await wait()
        const { columns, chunks } = rows(table)
        for await (const { bytes } of chunks) yield { table, columns, bytes }
      }
    }
    await loadCatalogue({ ...target, log }, { migrations, parts: parts(), amend: wait })
  })`

const argumentOf = ({ dataDir, databaseUrl }: CataloguePlace): string =>
  JSON.stringify({ dataDir, databaseUrl })

for (const kind of kinds)
  describe(`a load into ${kind} that is killed`, () => {
    for (const [moment, where] of [
      ['during the rows', 'scan_counters'],
      ['after the rows', 'nowhere'],
    ] as const)
      test(`${moment} leaves nothing behind and can be repeated`, async () => {
        const source = await newCatalogue('SQLite', (db) => fillCatalogue(db, 'one'))
        const target = await newPlace(kind)
        const places = [argumentOf(source), argumentOf(target), JSON.stringify(where)]
        const child = spawn(process.execPath, [...programArgs(program), ...places], {
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        await once(child.stdout, 'data')
        if (kind === 'SQLite') assert.ok(existsSync(`${sqliteFile(target.dataDir)}.partial`))
        child.kill('SIGKILL')
        await once(child, 'close')

        assert.equal(await whatIsIn(target), undefined)
        const dump = await readDump(source)
        await loadCatalogue(target, given(dump))
        assert.deepEqual(textsOf(await readDump(target)), textsOf(dump))
      })
  })
