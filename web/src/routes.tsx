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
import { useSuspenseQuery } from '@tanstack/react-query'
import { Shell } from './components/shell.tsx'
import { Failure } from './components/surfaces.tsx'
import { isSignedOut, queries } from './lib/api.ts'
import { readCodeSearch } from './lib/code-search.ts'
import { readImportSearch } from './lib/import-search.ts'
import { meQuery, organizationsQuery } from './lib/session.ts'
import { NotFoundPage } from './pages/not-found.tsx'
import { SignInPage } from './pages/sign-in.tsx'

const root = createRootRoute({ component: Outlet, notFoundComponent: NotFoundPage })

/** To the codes of the organization that the person joined first. */
const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: async ({ location }) => {
    const [organization] = await signedIn(location.href, async () =>
      queries.ensureQueryData(organizationsQuery),
    )
    if (organization === undefined) throw notFound()
    throw redirect({ to: '/$orgId/codes', params: { orgId: organization.id }, replace: true })
  },
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: SignInPage,
  // Only addresses of the dashboard itself: a link must not be able to lead elsewhere after signing in.
  validateSearch: (search: Record<string, unknown>): { to?: string; ended?: boolean } => {
    const { to, ended } = search
    return {
      ...(typeof to === 'string' && /^\/(?![/\\])/.test(to) && { to }),
      ...(ended === true && { ended }),
    }
  },
})

const newPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  component: lazyRouteComponent(async () => import('./pages/links.tsx'), 'NewPasswordPage'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitations',
  component: lazyRouteComponent(async () => import('./pages/links.tsx'), 'InvitationPage'),
})

const organization = createRoute({
  getParentRoute: () => root,
  path: '/$orgId',
  beforeLoad: async ({ location, params }) => {
    const [, organizations] = await signedIn(location.href, readPersonAndOrganizations)
    if (!organizations.some(({ id }) => id === params.orgId)) throw notFound()
  },
  component: OrganizationLayout,
  errorComponent: FailedPage,
  notFoundComponent: NotFoundPage,
})

function OrganizationLayout() {
  const { orgId } = organization.useParams()
  const { data: user } = useSuspenseQuery(meQuery)
  const { data: organizations } = useSuspenseQuery(organizationsQuery)
  const current = organizations.find(({ id }) => id === orgId)
  if (current === undefined) return <NotFoundPage />
  return (
    <Shell user={user} organizations={organizations} organization={current}>
      <Outlet />
    </Shell>
  )
}

function FailedPage({ error }: ErrorComponentProps) {
  const router = useRouter()
  return <Failure error={error} onRetry={() => void router.invalidate()} />
}

const codes = createRoute({
  getParentRoute: () => organization,
  path: '/codes',
  component: lazyRouteComponent(async () => import('./pages/codes.tsx'), 'CodesPage'),
  validateSearch: readCodeSearch,
})

const imports = createRoute({
  getParentRoute: () => organization,
  path: '/imports',
  component: lazyRouteComponent(async () => import('./pages/imports.tsx'), 'ImportsPage'),
  validateSearch: readImportSearch,
})

const account = createRoute({
  getParentRoute: () => organization,
  path: '/account',
  component: lazyRouteComponent(async () => import('./pages/account.tsx'), 'AccountPage'),
})

const readPersonAndOrganizations = async () =>
  Promise.all([queries.ensureQueryData(meQuery), queries.ensureQueryData(organizationsQuery)])

/** Whoever is not signed in does that first, and comes back. */
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
    organization.addChildren([codes, imports, account]),
  ]),
  basepath: '/app',
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
