/** Pages of the dashboard that need no account: see web/share.html. */
const pages = { share: '/app/share', leaveMail: '/app/leave-mail' } as const

/** The URL of a public link. */
export function shareAddress(publicUrl: string, token: string): string {
  return `${publicUrl}${pages.share}/${token}`
}

/** The URL of a page that takes an address off the list of a mail. */
export function leaveMailAddress(publicUrl: string, token: string): string {
  return `${publicUrl}${pages.leaveMail}#${token}`
}

/** The URL at which a member opens a view. */
export function viewAddress(publicUrl: string, view: { organizationId: string; id: string }): string {
  return `${publicUrl}/app/${view.organizationId}/views/${view.id}`
}
