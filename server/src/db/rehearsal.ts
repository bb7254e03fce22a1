import type { KyselyPlugin, PluginTransformQueryArgs, RootOperationNode } from 'kysely'
import type { Database } from './database.ts'

/**
 * Returns the same catalogue for a dry run: `inTransaction` runs its work as usual, with every
 * check and constraint of the database, then rolls it back and returns the result. Outside of a
 * transaction, a write throws, unless it is raw SQL: that could as well be a read.
 */
export function rehearsalOf(db: Database): Database {
  return { ...db, kysely: db.kysely.withPlugin(new RefuseWrites()), rehearsed: db.kysely }
}

const reads: ReadonlySet<RootOperationNode['kind']> = new Set(['SelectQueryNode', 'RawNode'])

class RefuseWrites implements KyselyPlugin {
  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    if (reads.has(node.kind)) return node
    throw new Error(`a dry run must write inside a transaction, got ${node.kind}`)
  }

  async transformResult<Result>({ result }: { result: Result }): Promise<Result> {
    return result
  }
}
