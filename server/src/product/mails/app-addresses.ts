/** Dashboard pages that links in mails and invitations lead to. */
const pages = {
  invitation: '/app/invitations',
  passwordReset: '/app/reset-password',
  signUp: '/app/confirm-sign-up',
  emailConfirmation: '/app/confirm-email',
} as const

/**
 * The URL of a page with a token. A browser sends nothing after "#" to a server, so no log contains
 * the token.
 */
export function appAddress(publicUrl: string, page: keyof typeof pages, token: string): string {
  return `${publicUrl}${pages[page]}#${token}`
}
