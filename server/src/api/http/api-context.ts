import type { LookAtDns } from '../../dns-looks.ts'
import type { ProductContext } from '../../product/product-context.ts'
import type { PresentProblem } from '../../problems/parts.ts'
import type { SecretBox } from '../../secret-box.ts'
import type { AccountTools } from '../../product/accounts/account-tools.ts'
import type { RuleTools } from '../../product/codes/rule-tools.ts'
import type { EventStreams } from '../../product/events/event-streams.ts'
import type { ViewTools } from '../../product/views/view-tools.ts'

/** The dependencies of every handler. */
export type ApiContext = ProductContext & {
  accounts: AccountTools
  /** Seals the secrets of webhooks. */
  box: SecretBox
  streams: EventStreams
  views: ViewTools
  rules: RuleTools
  lookAtDns: LookAtDns
  /** Returns what is wrong with this machine now, as its `/readyz` tells it. */
  readProblems: () => Promise<PresentProblem[]>
  /** Returns a signal that is aborted when this request is answered, or its client has left. */
  closed: () => AbortSignal
}
