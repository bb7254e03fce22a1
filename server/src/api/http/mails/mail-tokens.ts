import type { SecretBox } from '../../secret-box.ts'

/** The view of a mail, and one of its addresses. */
export type LeaveToken = { organizationId: string; id: string; address: string }

const name = 'leave'

/** Returns the token of the link that takes an address off the list of a mail. */
export function createLeaveToken(box: SecretBox, { organizationId, id, address }: LeaveToken): string {
  return box.seal(JSON.stringify([organizationId, id, address]), name)
}

/** Returns undefined for a token that is none of ours. */
export function readLeaveToken(box: SecretBox, token: string): LeaveToken | undefined {
  const text = box.open(token, name)
  if (text === undefined) return undefined
  const [organizationId = '', id = '', address = ''] = JSON.parse(text) as string[]
  return { organizationId, id, address }
}
