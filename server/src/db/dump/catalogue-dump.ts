import type { Database } from '../database.ts'
import type { CatalogueShape } from './catalogue-shape.ts'
import type { DumpPart } from './read-parts.ts'

export type CatalogueDump = {
  /** Names of the migrations of the dumped catalogue. */
  migrations: readonly string[]
  /** The chunks of a `CatalogueSnapshot`; tables come in any order. */
  parts: AsyncIterable<DumpPart>
  /**
   * Changes the loaded rows in the same transaction, after all rows and triggers are in place. It
   * knows only the schema of this release, so the load applies missing migrations first. Must use
   * only `db`.
   */
  amend?: (db: Database) => Promise<void>
}

export type CatalogueLoad = Pick<CatalogueDump, 'parts' | 'amend'> & { shape: CatalogueShape }
