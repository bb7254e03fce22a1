// The rooms that keep promises, for `npm run mutate`.

/**
 * `folders` are relative to the root and may name a file. `first` are suites that tell most of a
 * room, `services` those that start services: they run last.
 */
export type KeptRoom = {
  name: string
  folders: readonly string[]
  first: readonly string[]
  services: readonly string[]
}

export const keptRooms: readonly KeptRoom[] = [
  {
    name: 'scan',
    folders: ['server/src/scan', 'server/src/db/scans'],
    first: [
      'server/src/scan/front.test.ts',
      'server/src/scan/ruled-front.test.ts',
      'server/src/scan/access/guarded-front.test.ts',
    ],
    services: ['server/test/conformance/conformance.test.ts'],
  },
  {
    name: 'journal',
    folders: ['server/src/journal'],
    first: ['server/src/journal/journal.test.ts', 'server/src/journal/journal-faults.test.ts'],
    services: ['server/test/durability/crash.test.ts'],
  },
  {
    name: 'ingest',
    folders: ['server/src/ingest'],
    first: ['server/src/ingest/ingest.test.ts', 'server/src/ingest/exactly-once.test.ts'],
    services: [],
  },
  {
    name: 'copies',
    folders: ['server/src/copies'],
    first: ['server/src/copies/room.test.ts', 'server/src/copies/lacking-copies.test.ts'],
    services: ['server/test/durability/copies.test.ts'],
  },
  {
    name: 'rules',
    folders: ['server/src/rules'],
    first: ['server/src/rules/compile-rules.test.ts'],
    services: [],
  },
  {
    name: 'limits',
    folders: ['server/src/turns', 'server/src/catalogue/limits'],
    first: [],
    services: [],
  },
  {
    name: 'domains',
    folders: ['server/src/catalogue/domains', 'server/src/catalogue/waiting'],
    first: [],
    services: [],
  },
]
