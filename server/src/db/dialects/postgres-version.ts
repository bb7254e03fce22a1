/** The oldest version with vendor support: https://www.postgresql.org/support/versioning/ */
export const postgresVersionMin = 14

export type ServerFacts = { number: string; version: string; encoding: string }

/**
 * Returns why a server cannot hold a catalogue, or undefined if it can. `number` is 140005 for
 * 14.5.
 */
export function serverRefusal({ number, version, encoding }: ServerFacts): string | undefined {
  if (Math.floor(Number(number) / 10_000) < postgresVersionMin)
    return `DATABASE_URL: PostgreSQL must be ${postgresVersionMin} or later, and this server is ${version}; upgrade it`
  if (encoding !== 'UTF8')
    return `DATABASE_URL: the database must have the encoding UTF8, and has ${encoding}; create one with: createdb --encoding=UTF8 --template=template0 NAME`
  return undefined
}
