import type { Migration } from '../../migration.ts'

/** Waiting codes have the entries of `0067-limit-excesses`, too: they may come from an archive. */
export const waitingLimitExcesses: Migration = {
  name: '0072-waiting-limit-excesses',
  statements: ({ text }) => [`alter table waiting_qr_codes add column limit_excesses ${text}`],
}
