/** Pages of the dashboard that people are sent to. */
const pages = {
  invitation: '/app/invitations',
  passwordReset: '/app/reset-password',
  signUp: '/app/confirm-sign-up',
} as const

/** The address of a page with a token: behind "#" it is sent to no server, and stands in no log. */
export function appAddress(publicUrl: string, page: keyof typeof pages, token: string): string {
  return `${publicUrl}${pages[page]}#${token}`
}
