import type {
  KyselyPlugin,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from 'kysely'
import type { Log } from '../log.ts'

/** How long a transaction may be open without a query. */
export const transactionIdleMsMax = 250

/**
 * Logs a transaction that stays open while other work is done. On SQLite it is the only writer; on
 * PostgreSQL it holds locks and is ended after 15 s.
 */
export class TransactionWatch implements KyselyPlugin {
  #restsSinceMs = performance.now()
  #last: RootOperationNode | undefined
  #longest: { ms: number; after: RootOperationNode | undefined } = { ms: 0, after: undefined }

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    this.#endRest()
    this.#last = node
    return node
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    this.#restsSinceMs = performance.now()
    return result
  }

  /** To be called before the transaction ends. */
  end(log: Log): void {
    this.#endRest()
    const { ms, after } = this.#longest
    if (ms <= transactionIdleMsMax) return
    log.warn({ ms: Math.round(ms), after: tagOf(after) }, 'a transaction was open without a query')
  }

  #endRest(): void {
    const ms = performance.now() - this.#restsSinceMs
    if (ms > this.#longest.ms) this.#longest = { ms, after: this.#last }
  }
}

/** The tag of a query, see `tag`. */
function tagOf(node: RootOperationNode | undefined): string | undefined {
  return /\/\* ([\w.]+) \*\//.exec(JSON.stringify(node) ?? '')?.[1]
}
