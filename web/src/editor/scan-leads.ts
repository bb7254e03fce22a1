import { redirectOf } from '@everscan/contract/code-types/code-types.ts'
import type { System } from '@everscan/contract/code-types/code-type.ts'
import type { Draft } from './code-drafts.ts'
import { sentData } from './content-schemas.ts'

/** Where each kind of phone is sent; undefined: it is shown the page. What is not written yet is an empty address. */
export type Leads = Readonly<Record<System, string | undefined>>

/** Where a scan of a draft leads. */
export function leadsOf({ type, data }: Draft): Leads {
  const sent = sentData(type, data)
  // A menu that will be a link, which is not written yet, is no page.
  const unwritten = sent['url'] === '' ? '' : undefined
  const lead = (system: System) => redirectOf(type, sent, system) ?? unwritten
  return { ios: lead('ios'), android: lead('android'), other: lead('other') }
}
