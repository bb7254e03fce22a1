import { useSuspenseQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { getRouteApi, Outlet, useMatchRoute } from '@tanstack/react-router'
import { adoptLanguage } from '../session/account-language.ts'
import { meQuery, organizationsQuery } from '../session/session.ts'
import { TwoFactorNeeded } from '../session/two-factor-needed.tsx'
import { NotFoundPage } from './not-found.tsx'
import { Shell } from './shell.tsx'

const route = getRouteApi('/$orgId')

/** Shows a page of an organization. Loaded after sign-in, so that the first page stays small. */
export function OrganizationLayout() {
  const { orgId } = route.useParams()
  const { data: user } = useSuspenseQuery(meQuery)
  const { data: organizations } = useSuspenseQuery(organizationsQuery)
  const current = organizations.find(({ id }) => id === orgId)
  useEffect(() => adoptLanguage(user), [user])
  const isAccount = useMatchRoute()({ to: '/$orgId/account', params: { orgId } }) !== false
  if (current === undefined) return <NotFoundPage />
  const isBlocked = current.twoFactorRequired === true && !user.twoFactor && !isAccount
  return (
    <Shell user={user} organizations={organizations} organization={current}>
      {isBlocked ? <TwoFactorNeeded organization={current} /> : <Outlet />}
    </Shell>
  )
}
