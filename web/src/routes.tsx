import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  Outlet,
  redirect,
  useRouter,
  type ErrorComponentProps,
} from '@tanstack/react-router'
import { PageSkeleton } from './ui/skeleton.tsx'
import { Failure } from './ui/surfaces.tsx'
import { isSignedOut, queries } from './session/api.ts'
import { readAnalyticsSearch, readCodeAnalyticsSearch } from './analytics/analytics-search.ts'
import { readAuditSearch } from './settings/audit-search.ts'
import { readCodeSearch } from './codes/code-search.ts'
import { readCodePageSearch, readNewCodeSearch } from './editor/editor-search.ts'
import { readImportSearch } from './imports/import-search.ts'
import { readMoveSearch } from './imports/moves/move-search.ts'
import { readPage } from './ui/page-search.ts'
import { meQuery, organizationsQuery, signInOptionsQuery } from './session/session.ts'
import { readDeliverySearch } from './developers/delivery-search.ts'
import { NotFoundPage } from './shell/not-found.tsx'
import { SignInPage } from './session/sign-in.tsx'
import { EndedSessionWindow } from './session/ended-session-window.tsx'
import { loadPart } from './session/reachability.ts'
import { loadWords } from './words/show-language.ts'

/** Returns the component of a page that is loaded when it is opened, after the words of pages. */
function lazyPage<Part extends Record<string, unknown>, Name extends keyof Part>(
  load: () => Promise<Part>,
  name: Name,
) {
  return lazyRouteComponent(async () => loadPart(async () => loadWords().then(load)), name)
}

/** A page that comes sooner replaces the one before without a skeleton between them. */
const pendingMs = 200

const root = createRootRoute({ component: EveryPage, notFoundComponent: NotFoundPage })

function EveryPage() {
  return (
    <>
      <Outlet />
      <EndedSessionWindow />
    </>
  )
}

/** Route to the codes of the organization that the user joined first. */
const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ location }) => {
    const [organization] = await signedIn(location.href, async () =>
      queries.ensureQueryData(organizationsQuery),
    )
    if (organization === undefined) throw redirect({ to: '/new-organization', replace: true })
    throw redirect({ to: '/$orgId/codes', params: { orgId: organization.id }, replace: true })
  },
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: SignInPage,
  loader: readSignInOptions,
  // Accepts only paths of the dashboard: a link must not be able to lead elsewhere after signing
  // in.
  validateSearch: ({ to }: Record<string, unknown>): { to?: string } =>
    typeof to === 'string' && /^\/(?![/\\])/.test(to) ? { to } : {},
})

const newPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyPage(async () => import('./session/links.tsx'), 'NewPasswordPage'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitations',
  component: lazyPage(async () => import('./session/invitation.tsx'), 'InvitationPage'),
})

const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  component: lazyPage(async () => import('./session/sign-up.tsx'), 'SignUpPage'),
  loader: readSignInOptions,
})

const confirmSignUp = createRoute({
  getParentRoute: () => root,
  path: '/confirm-sign-up',
  component: lazyPage(async () => import('./session/links.tsx'), 'ConfirmSignUpPage'),
})

/** Only a session of the account confirms its address, so a visitor signs in first. */
const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: '/confirm-email',
  beforeLoad: async ({ location }) => signedIn(location.href, async () => queries.ensureQueryData(meQuery)),
  component: lazyPage(async () => import('./session/links.tsx'), 'ConfirmEmailPage'),
})

/** Route for users who are in no organization. */
const newOrganization = createRoute({
  getParentRoute: () => root,
  path: '/new-organization',
  beforeLoad: async ({ location }) => signedIn(location.href, readPersonAndOrganizations),
  component: lazyPage(async () => import('./session/new-organization.tsx'), 'NewOrganizationPage'),
})

const organization = createRoute({
  getParentRoute: () => root,
  path: '/$orgId',
  beforeLoad: async ({ location, params }) => {
    // The page, which comes next, reports a failure.
    loadWords().catch(() => undefined)
    const [, organizations] = await signedIn(location.href, readPersonAndOrganizations)
    if (!organizations.some(({ id }) => id === params.orgId)) throw notFound()
  },
  component: lazyPage(async () => import('./shell/organization-layout.tsx'), 'OrganizationLayout'),
  errorComponent: FailedPage,
  notFoundComponent: NotFoundPage,
})

function FailedPage({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <Failure error={error} onRetry={() => void router.invalidate()} />
}

/** Reads the page of a list. The first page has no number in the URL. */
const readPageSearch = (search: Record<string, unknown>): { page?: number | undefined } => ({
  page: readPage(search),
})

const codes = createRoute({
  getParentRoute: () => organization,
  path: '/codes',
  component: lazyPage(async () => import('./codes/codes.tsx'), 'CodesPage'),
  validateSearch: readCodeSearch,
})

const bin = createRoute({
  getParentRoute: () => organization,
  path: '/bin',
  component: lazyPage(async () => import('./codes/bin-page.tsx'), 'BinPage'),
  validateSearch: readPageSearch,
})

const analytics = createRoute({
  getParentRoute: () => organization,
  path: '/analytics',
  component: lazyPage(async () => import('./analytics/analytics-page.tsx'), 'OrganizationAnalyticsPage'),
  validateSearch: readAnalyticsSearch,
})

const codeAnalytics = createRoute({
  getParentRoute: () => organization,
  path: '/codes/$codeId/analytics',
  component: lazyPage(async () => import('./analytics/analytics-page.tsx'), 'CodeAnalyticsPage'),
  validateSearch: readCodeAnalyticsSearch,
})

const bulkTable = createRoute({
  getParentRoute: () => organization,
  path: '/codes/table',
  component: lazyPage(async () => import('./bulk/bulk-page.tsx'), 'BulkPage'),
})

const view = createRoute({
  getParentRoute: () => organization,
  path: '/views/$viewId',
  component: lazyPage(async () => import('./analytics/view-page.tsx'), 'ViewPage'),
})

const newCode = createRoute({
  getParentRoute: () => organization,
  path: '/codes/new',
  component: lazyPage(async () => import('./editor/editor-page.tsx'), 'NewCodePage'),
  validateSearch: readNewCodeSearch,
})

const code = createRoute({
  getParentRoute: () => organization,
  path: '/codes/$codeId',
  component: lazyPage(async () => import('./editor/editor-page.tsx'), 'CodePage'),
  validateSearch: readCodePageSearch,
})

const imports = createRoute({
  getParentRoute: () => organization,
  path: '/imports',
  component: lazyPage(async () => import('./imports/imports.tsx'), 'ImportsPage'),
  validateSearch: readImportSearch,
})

const moves = createRoute({
  getParentRoute: () => organization,
  path: '/imports/move',
  component: lazyPage(async () => import('./imports/moves/moves-page.tsx'), 'MovesPage'),
  validateSearch: readMoveSearch,
})

const account = createRoute({
  getParentRoute: () => organization,
  path: '/account',
  loader: readSignInOptions,
  component: lazyPage(async () => import('./session/account.tsx'), 'AccountPage'),
})

const developers = createRoute({
  getParentRoute: () => organization,
  path: '/developers',
  component: lazyPage(async () => import('./developers/developers.tsx'), 'DevelopersPage'),
  validateSearch: readPageSearch,
})

const webhooks = createRoute({
  getParentRoute: () => organization,
  path: '/developers/webhooks',
  component: lazyPage(async () => import('./developers/webhooks.tsx'), 'WebhooksPage'),
})

const webhook = createRoute({
  getParentRoute: () => organization,
  path: '/developers/webhooks/$webhookId',
  component: lazyPage(async () => import('./developers/webhook.tsx'), 'WebhookPage'),
  validateSearch: readDeliverySearch,
})

const settings = createRoute({
  getParentRoute: () => organization,
  path: '/settings',
  loader: readSignInOptions,
  component: lazyPage(async () => import('./settings/settings.tsx'), 'SettingsPage'),
})

const members = createRoute({
  getParentRoute: () => organization,
  path: '/settings/members',
  component: lazyPage(async () => import('./settings/members.tsx'), 'MembersPage'),
  validateSearch: readPageSearch,
})

const auditLog = createRoute({
  getParentRoute: () => organization,
  path: '/settings/audit-log',
  component: lazyPage(async () => import('./settings/audit-log.tsx'), 'AuditLogPage'),
  validateSearch: readAuditSearch,
})

const domains = createRoute({
  getParentRoute: () => organization,
  path: '/settings/domains',
  component: lazyPage(async () => import('./settings/domains.tsx'), 'DomainsPage'),
})

const connection = createRoute({
  getParentRoute: () => organization,
  path: '/settings/connection',
  component: lazyPage(async () => import('./settings/connection.tsx'), 'ConnectionPage'),
})

const copies = createRoute({
  getParentRoute: () => organization,
  path: '/settings/copies',
  component: lazyPage(async () => import('./settings/copies.tsx'), 'CopiesPage'),
})

const readPersonAndOrganizations = async () =>
  Promise.all([queries.ensureQueryData(meQuery), queries.ensureQueryData(organizationsQuery)])

/**
 * Reads the options before the page is shown, so the page does not shift. Without them, it shows
 * less.
 */
async function readSignInOptions(): Promise<void> {
  await queries.ensureQueryData(signInOptionsQuery).catch(() => undefined)
}

/**
 * Runs `read`. Redirects a user who is not signed in to the sign-in page, which leads back to `to`.
 */
async function signedIn<T>(to: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (isSignedOut(error)) throw redirect({ to: '/sign-in', search: to === '/' ? {} : { to } })
    throw error
  }
}

export const router = createRouter({
  routeTree: root.addChildren([
    start,
    signIn,
    newPassword,
    invitation,
    signUp,
    confirmSignUp,
    confirmEmail,
    newOrganization,
    organization.addChildren([
      codes,
      bin,
      bulkTable,
      newCode,
      code,
      analytics,
      codeAnalytics,
      view,
      imports,
      moves,
      account,
      developers,
      webhooks,
      webhook,
      settings,
      members,
      domains,
      auditLog,
      connection,
      copies,
    ]),
  ]),
  basepath: '/app',
  defaultPreload: 'intent',
  defaultPendingComponent: PageSkeleton,
  defaultPendingMs: pendingMs,
  // A page shows as soon as it is there.
  defaultPendingMinMs: 0,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface HistoryState {
    /** Codes that were selected to be edited in a table. */
    bulkIds?: readonly string[]
  }
}
