import type { Organization } from '@everscan/client/create-client.ts'
import { Link } from '@tanstack/react-router'
import { buttonClass } from '../ui/button.tsx'
import { useTitle } from '../ui/narrow-page.tsx'
import { EmptyState } from '../ui/surfaces.tsx'
import { commonWords } from '../words/common-words.ts'

const text = commonWords.twoFactorNeeded

/** Stands in for every page of an organization that demands two-factor sign-in of the user. */
export function TwoFactorNeeded({ organization: { id, name } }: { organization: Organization }) {
  useTitle(text.title)
  return (
    <EmptyState isPage title={text.heading(name)} text={text.text}>
      <Link to="/$orgId/account" params={{ orgId: id }} className={buttonClass('primary')}>
        {text.action}
      </Link>
    </EmptyState>
  )
}
