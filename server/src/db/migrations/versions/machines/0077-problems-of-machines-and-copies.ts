import type { Migration } from '../../migration.ts'

/** As 0074: the problem of a machine and of a copy by name, beside its sentence. */
export const problemsOfMachinesAndCopies: Migration = {
  name: '0077-problems-of-machines-and-copies',
  statements: ({ text }) => [
    `alter table machines add column named_problem ${text}`,
    `alter table copies add column named_problem ${text}`,
  ],
}
