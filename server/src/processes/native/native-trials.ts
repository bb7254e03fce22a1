/** A piece of work for each native package of the service, by its name. Throws if it fails. */
export const nativeTrials = {
  'better-sqlite3': async () => {
    const { default: Sqlite } = await import('better-sqlite3')
    const db = new Sqlite(':memory:')
    db.prepare('select 1').get()
    db.close()
  },
  sharp: async () => {
    const { default: sharp } = await import('sharp')
    const create = { width: 8, height: 8, channels: 3, background: 'red' } as const
    await sharp({ create }).png().toBuffer()
  },
  '@duckdb/node-api': async () => {
    const { DuckDBInstance } = await import('@duckdb/node-api')
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
    const connection = await instance.connect()
    await connection.runAndReadAll('select sum(range) from range(10)')
    connection.closeSync()
    instance.closeSync()
  },
} as const satisfies Readonly<Record<string, () => Promise<void>>>

export type NativeName = keyof typeof nativeTrials
