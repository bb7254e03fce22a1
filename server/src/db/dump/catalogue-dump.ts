import type { Database } from '../database.ts'
import type { CatalogueShape } from './catalogue-shape.ts'
import type { DumpPart } from './read-parts.ts'

export type CatalogueDump = {
  /** Names of the migrations that the dumped catalogue had. */
  migrations: readonly string[]
  /** The chunks of a `CatalogueSnapshot`; tables come in any order. */
  parts: AsyncIterable<DumpPart>
  /**
   * Changes what was loaded in the same transaction, after all rows are in and all triggers are there. It knows the schema of this release alone, so
   * with it the migrations that the dump lacks are applied before. Uses nothing but `db`.
   */
  amend?: (db: Database) => Promise<void>
}

export type CatalogueLoad = Pick<CatalogueDump, 'parts' | 'amend'> & { shape: CatalogueShape }
