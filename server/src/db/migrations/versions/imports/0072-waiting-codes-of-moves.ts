import type { Migration } from '../../migration.ts'

/**
 * Waiting codes have the entries of `0067-limit-excesses`, too, and are found by their key: a move
 * asks which of its short codes wait already.
 */
export const waitingCodesOfMoves: Migration = {
  name: '0072-waiting-codes-of-moves',
  statements: ({ text }) => [
    `alter table waiting_qr_codes add column limit_excesses ${text}`,
    `create index waiting_qr_codes_key on waiting_qr_codes (organization_id, canonical_code)`,
  ],
}
