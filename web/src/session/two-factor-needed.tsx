import type { Organization } from '@everscan/client/create-client.ts'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../ui/button.tsx'
import { useTitle } from '../ui/narrow-page.tsx'
import { EmptyState } from '../ui/surfaces.tsx'
import { words } from '../words/words.ts'

const text = words.account

/** Stands in for every page of an organization that demands two-factor sign-in of the user. */
export function TwoFactorNeeded({ organization: { id, name } }: { organization: Organization }) {
  useTitle(text.neededTitle)
  return (
    <EmptyState isPage title={text.needed(name)} text={text.neededText}>
      <Link to="/$orgId/account" params={{ orgId: id }} className={buttonClass('primary')}>
        {text.neededAction}
      </Link>
    </EmptyState>
  )
}
