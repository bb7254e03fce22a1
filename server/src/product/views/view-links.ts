/** A page of the dashboard that needs no account: see web/share.html. */
const sharePage = '/app/share'

/** The URL of a public link. */
export function shareAddress(publicUrl: string, token: string): string {
  return `${publicUrl}${sharePage}/${token}`
}

/** The URL at which a member opens a view. */
export function viewAddress(publicUrl: string, view: { organizationId: string; id: string }): string {
  return `${publicUrl}/app/${view.organizationId}/views/${view.id}`
}
