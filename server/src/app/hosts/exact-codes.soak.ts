// Codes as other products make them: 100,000 of five letters in both cases.
import { test } from 'node:test'
import { forEachDatabase } from '../../db/testing/databases.ts'
import { checkRandomCodes } from './testing/exact-codes.ts'

forEachDatabase('exact short codes', (open) => {
  test('100,000 random codes of five letters each lead to their own destination', async () => {
    await checkRandomCodes(await open(), 100_000)
  })
})
