import assert from 'node:assert/strict'
import { test } from 'node:test'
import { saveImportChunk } from '../../catalogue/imports/import-chunks.ts'
import { someOrganization } from '../../catalogue/testing/catalogue.ts'
import { onSqlite } from '../../db/testing/databases.ts'
import { createId } from '../../ids.ts'
import { ownTurns } from '../../turns/own-turns.ts'
import { surveyCodes } from './survey-rows.ts'

onSqlite('files that are read again', (open) => {
  test('organizations take turns by the chunk, so a small file does not wait for a large one', async () => {
    const db = await open()
    const read: string[] = []
    const fileOf = async (name: string, chunks: number) => {
      const { id: organizationId } = await someOrganization(db)
      const key = { organizationId, id: createId('job') }
      for (let chunk = 0; chunk < chunks; chunk++) {
        const row = { row: chunk + 1, line: chunk + 2, cells: [`SAME-${name}-${chunk % 20}`] }
        await saveImportChunk(db, { ...key, chunk, nowMs: 0 }, [row])
      }
      return () =>
        surveyCodes(db, key, ({ cells: [shortCode = ''] }) => {
          read.push(name)
          return { shortCode, domain: undefined }
        })
    }
    const large = await fileOf('large', 40)
    const small = await fileOf('small', 2)
    const held = await Promise.all([ownTurns.surveys.take(['other']), ownTurns.surveys.take(['other'])])
    const surveys = [large(), large(), large(), small()]
    for (const end of held) end()
    assert.deepEqual(await Promise.all(surveys), [...Array(3).fill('SAME-large-10'), 'SAME-small-0'])
    assert.ok(read.lastIndexOf('small') < 12, String(read.slice(0, 20)))
  })
})
