import { createSecretBox, type SecretBox } from '../../secret-box.ts'

/** The owner of an address, who came by the link in a mail: only the mailbox has it. */
export type MailToken = {
  kind: (typeof kinds)[number]
  organizationId: string
  /** The view of a mail of figures; else empty. */
  viewId: string
  address: string
}

/**
 * The kinds of mails. A token is sealed under the name of its kind; `leave` is a mail of figures.
 */
const kinds = ['leave', 'consent', 'invitation'] as const

export function createMailTokenBox(secret: string): SecretBox {
  return createSecretBox(secret, 'addresses of view mails')
}

/** Returns the token of the link by which the owner of an address answers a mail. */
export function createMailToken(
  box: SecretBox,
  { kind, organizationId, viewId, address }: MailToken,
): string {
  return box.seal(JSON.stringify([organizationId, viewId, address]), kind)
}

/** Returns undefined for a token that is none of ours. */
export function readMailToken(box: SecretBox, token: string): MailToken | undefined {
  for (const kind of kinds) {
    const text = box.open(token, kind)
    if (text === undefined) continue
    const [organizationId = '', viewId = '', address = ''] = JSON.parse(text) as string[]
    return { kind, organizationId, viewId, address }
  }
  return undefined
}

/** The URL of the page of an answer. */
export function mailAnswerAddress(publicUrl: string, token: string): string {
  return `${publicUrl}/app/mails/${token}`
}
