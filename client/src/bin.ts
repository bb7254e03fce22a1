import type { BatchDeleteResult } from '@everscan/contract/resources/batches.ts'
import type { BatchOptions } from './batches.ts'
import { composed, given, type Composed, type Service } from './calling.ts'
import { binOf } from './calls/bin.ts'
import type { BatchResult } from './exact-types.ts'
import type { CallOptions } from './send.ts'

/** The deleted codes of an organization that can be restored. */
export type Bin = Composed<typeof binOf, typeof ownCalls>

export const binCalls: (service: Service) => Bin = composed(binOf, ownCalls)

function ownCalls(calls: ReturnType<typeof binOf>) {
  return {
    /** Restores many codes. */
    async restoreMany(orgId: string, ids: readonly string[], options?: BatchOptions): Promise<BatchResult> {
      return calls.restoreMany(orgId, { ids: [...ids] }, given({ atomic: options?.atomic }), options)
    },

    /** Deletes many codes in the bin permanently. */
    async purgeMany(
      orgId: string,
      ids: readonly string[],
      options?: CallOptions,
    ): Promise<BatchDeleteResult> {
      return calls.purgeMany(orgId, { ids: [...ids] }, {}, options)
    },
  }
}
