import type { Passkey } from '@everscan/contract/resources/passkeys.ts'
import { composed, type Composed, type Service } from './calling.ts'
import { meOf } from './calls/me.ts'
import type { CallOptions } from './send.ts'

/** The signed-in account. The service rejects keys. */
export type Me = Composed<typeof meOf, typeof ownCalls>

export const meCalls: (service: Service) => Me = composed(meOf, ownCalls)

function ownCalls(calls: ReturnType<typeof meOf>) {
  return {
    async renamePasskey(id: string, name: string, options?: CallOptions): Promise<Passkey> {
      return calls.renamePasskey(id, { name }, options)
    },
  }
}
