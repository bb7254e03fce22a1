import { Link } from '@tanstack/react-router'

type PartAddress =
  | '/$orgId/developers'
  | '/$orgId/developers/webhooks'
  | '/$orgId/settings'
  | '/$orgId/settings/members'
  | '/$orgId/settings/domains'
  | '/$orgId/settings/audit-log'
  | '/$orgId/settings/connection'
  | '/$orgId/settings/copies'

/** A part of an area. If it is `exact`, the pages below it are other parts. */
export type Part = { to: PartAddress; name: string; exact?: true }

/** Shows the head of an area with several pages: its name, and links to its pages. */
export function Parts({
  title,
  label,
  orgId,
  parts,
}: {
  title: string
  label: string
  orgId: string
  parts: readonly Part[]
}) {
  return (
    <div className="mb-6">
      <h1 className="text-2xl font-semibold">{title}</h1>
      {parts.length > 1 && (
        // On a narrow screen, they take two lines: a part out of sight would not be found.
        <nav aria-label={label} className="mt-3 flex flex-wrap border-b border-line sm:gap-1">
          {parts.map(({ to, name, exact = false }) => (
            <Link
              key={to}
              to={to}
              params={{ orgId }}
              activeOptions={{ exact, includeSearch: false }}
              className="-mb-px inline-flex min-h-11 shrink-0 items-center border-b-2 border-transparent px-1.5 text-sm sm:px-3 font-medium whitespace-nowrap text-soft -outline-offset-2 hover:text-ink aria-[current=page]:border-brand aria-[current=page]:text-ink"
            >
              {name}
            </Link>
          ))}
        </nav>
      )}
    </div>
  )
}
