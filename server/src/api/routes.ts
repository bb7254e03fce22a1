import { endpoints } from '@everscan/contract/endpoints/endpoints.ts'
import type { Endpoint } from '@everscan/contract/endpoints/endpoint.ts'
import type { Handler, Route } from './http/handler.ts'

type Nouns = typeof endpoints

/** The handlers of a noun, by the names of its endpoints. */
type HandlersOf<Noun> = {
  readonly [Name in keyof Noun]: Noun[Name] extends { id: infer Id extends string } ? Handler<Id> : never
}

/** The files that handle the endpoints of each noun. A file is loaded when it is first asked. */
const handlers: { readonly [Noun in keyof Nouns]: () => Promise<HandlersOf<Nouns[Noun]>> } = {
  ownOrganizations: () => import('./organizations/own-organizations.ts'),
  organizations: () => import('./organizations/organizations.ts'),
  archiveImports: () => import('./archives/archive-imports.ts'),
  publicAddress: () => import('./organizations/public-address.ts'),
  qrCodes: () => import('./codes/qr-codes.ts'),
  qrCodeHistory: () => import('./codes/history.ts'),
  ruleTrials: () => import('./codes/rule-trials.ts'),
  ruleReplays: () => import('./codes/rule-replays.ts'),
  batches: () => import('./codes/batches.ts'),
  bin: () => import('./codes/bin.ts'),
  batchDownloads: () => import('./pictures/batch-downloads.ts'),
  downloads: () => import('./pictures/downloads.ts'),
  labelSheets: () => import('./pictures/label-sheets.ts'),
  analytics: () => import('./analytics/analytics.ts'),
  codeFigures: () => import('./analytics/code-figures.ts'),
  folders: () => import('./codes/folders.ts'),
  styles: () => import('./styles/saved-styles.ts'),
  domains: () => import('./domains/domains.ts'),
  notices: () => import('./domains/notices.ts'),
  utmTemplates: () => import('./codes/utm-templates.ts'),
  tags: () => import('./codes/tags.ts'),
  scans: () => import('./analytics/scans.ts'),
  imports: () => import('./imports/imports.ts'),
  moves: () => import('./moves/moves.ts'),
  comparisons: () => import('./moves/comparisons.ts'),
  apiKeys: () => import('./organizations/api-keys.ts'),
  members: () => import('./organizations/members.ts'),
  invitations: () => import('./organizations/invitations.ts'),
  auditLog: () => import('./organizations/audit-log.ts'),
  connections: () => import('./organizations/connections.ts'),
  installation: () => import('./organizations/installation.ts'),
  sentMails: () => import('./organizations/sent-mails.ts'),
  signInOptions: () => import('./accounts/sign-in-options.ts'),
  signIns: () => import('./accounts/sign-in.ts'),
  passkeySignIns: () => import('./accounts/passkey-sign-in.ts'),
  account: () => import('./accounts/account.ts'),
  emailConfirmations: () => import('./accounts/email-confirmations.ts'),
  accountLog: () => import('./accounts/account-log.ts'),
  sessions: () => import('./accounts/sessions.ts'),
  confirmations: () => import('./accounts/confirmations.ts'),
  passkeys: () => import('./accounts/passkeys.ts'),
  twoFactor: () => import('./accounts/two-factor.ts'),
  passwordResets: () => import('./accounts/password-resets.ts'),
  signUps: () => import('./accounts/sign-ups.ts'),
  webhooks: () => import('./events/webhooks.ts'),
  webhookDeliveries: () => import('./events/webhook-deliveries.ts'),
  events: () => import('./events/events.ts'),
  views: () => import('./views/views.ts'),
  sharedViews: () => import('./views/shared-views.ts'),
  documentation: () => import('./openapi/documentation.ts'),
}

/** Every endpoint with what it does. */
export const routes: readonly Route[] = Object.entries(endpoints).flatMap(([noun, ofNoun]) =>
  Object.entries<Endpoint>(ofNoun).map(([name, endpoint]) => ({
    ...endpoint,
    handler: async () => {
      const loaded: Readonly<Record<string, Handler>> = await handlers[noun as keyof Nouns]()
      const found = loaded[name]
      if (found?.id !== endpoint.id) throw new Error(`endpoint ${endpoint.id} has no handler`)
      return found
    },
  })),
)
