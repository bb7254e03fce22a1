import { redirectOf } from '@everscan/contract/code-types/code-types.ts'
import type { System } from '@everscan/contract/code-types/code-type.ts'
import type { Draft } from './code-drafts.ts'
import { sentData } from './content-schemas.ts'

/**
 * Address that each kind of phone is sent to. Undefined: it sees the page. Empty: the address is
 * not written yet.
 */
export type Leads = Readonly<Record<System, string | undefined>>

/** Returns where a scan of a draft leads. */
export function leadsOf({ type, data }: Draft): Leads {
  const sent = sentData(type, data)
  // A menu that will be a link shows no page, even before the link is written.
  const unwritten = sent['url'] === '' ? '' : undefined
  const lead = (system: System) => redirectOf(type, sent, system) ?? unwritten
  return { ios: lead('ios'), android: lead('android'), other: lead('other') }
}
