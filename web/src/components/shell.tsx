import type { Organization, User } from '@everscan/client/create-client.ts'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ChevronsUpDown, CircleUserRound, QrCode } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState, type ReactNode } from 'react'
import { api, queries } from '../lib/api.ts'
import { readTheme, showTheme, themes, type Theme } from '../lib/theme.ts'
import { words } from '../words.ts'
import { Logo } from './logo.tsx'

type Props = {
  user: User
  organizations: readonly Organization[]
  organization: Organization
  children: ReactNode
}

/** What is around every page of an organization. */
export function Shell({ user, organizations, organization, children }: Props) {
  return (
    <>
      <a
        href="#content"
        className="sr-only rounded-control bg-brand px-3 py-2 text-on-brand focus:not-sr-only focus:fixed focus:start-3 focus:top-3 focus:z-50"
      >
        {words.skipToContent}
      </a>
      <header className="sticky top-0 z-10 border-b border-line bg-surface">
        <div className="mx-auto flex h-14 max-w-6xl items-center gap-2 px-3 sm:px-5">
          <Link to="/$orgId/codes" params={{ orgId: organization.id }} className="me-1 hidden sm:inline-flex">
            <Logo />
          </Link>
          <OrganizationMenu organizations={organizations} organization={organization} />
          <nav aria-label={words.nav.label} className="ms-auto flex items-center gap-1 sm:ms-4 sm:me-auto">
            <Link
              to="/$orgId/codes"
              params={{ orgId: organization.id }}
              className="inline-flex min-h-10 items-center gap-2 rounded-control px-3 text-sm font-medium text-soft hover:text-ink aria-[current=page]:bg-raised aria-[current=page]:text-ink"
            >
              <QrCode size={18} aria-hidden />
              {words.nav.codes}
            </Link>
          </nav>
          <AccountMenu user={user} orgId={organization.id} />
        </div>
      </header>
      <main id="content" tabIndex={-1} className="mx-auto max-w-6xl px-3 py-6 outline-none sm:px-5 sm:py-8">
        {children}
      </main>
    </>
  )
}

const menuClass =
  'z-20 max-h-(--radix-dropdown-menu-content-available-height) min-w-56 overflow-auto rounded-card border border-line bg-surface p-1.5 shadow-lg'
const itemClass =
  'flex min-h-10 cursor-pointer items-center gap-2 rounded-control px-3 text-sm outline-none data-highlighted:bg-raised'

function OrganizationMenu({ organizations, organization }: Pick<Props, 'organizations' | 'organization'>) {
  if (organizations.length < 2)
    return <span className="truncate px-2 text-sm font-medium">{organization.name}</span>
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="flex min-h-10 min-w-0 cursor-pointer items-center gap-2 rounded-control px-2 text-sm font-medium hover:bg-raised">
        <span className="sr-only">{words.nav.organization}: </span>
        <span className="truncate">{organization.name}</span>
        <ChevronsUpDown size={16} aria-hidden className="shrink-0 text-soft" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align="start" sideOffset={6} className={menuClass}>
          {organizations.map(({ id, name }) => (
            <DropdownMenu.Item key={id} asChild className={itemClass}>
              <Link to="/$orgId/codes" params={{ orgId: id }}>
                {name}
              </Link>
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function AccountMenu({ user, orgId }: { user: User; orgId: string }) {
  const navigate = useNavigate()
  const [theme, setTheme] = useState(readTheme)
  const signOut = useMutation({
    mutationFn: async () => api.auth.signOut(),
    onSuccess: async () => {
      queries.clear()
      await navigate({ to: '/sign-in' })
    },
  })
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        aria-label={words.nav.account}
        className="flex size-10 shrink-0 cursor-pointer items-center justify-center rounded-full text-soft hover:bg-raised hover:text-ink"
      >
        <CircleUserRound size={22} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align="end" sideOffset={6} className={menuClass}>
          <DropdownMenu.Label className="px-3 py-2 text-sm">
            <span className="block font-medium">{user.name}</span>
            <span className="block text-soft">{user.email}</span>
          </DropdownMenu.Label>
          <DropdownMenu.Separator className="my-1 h-px bg-line" />
          <DropdownMenu.Item asChild className={itemClass}>
            <Link to="/$orgId/account" params={{ orgId }}>
              {words.nav.account}
            </Link>
          </DropdownMenu.Item>
          <DropdownMenu.Separator className="my-1 h-px bg-line" />
          <DropdownMenu.Label className="px-3 pt-1 text-xs text-soft">{words.nav.theme}</DropdownMenu.Label>
          <DropdownMenu.RadioGroup
            value={theme}
            onValueChange={(value) => {
              showTheme(value as Theme)
              setTheme(value as Theme)
            }}
          >
            {themes.map((one) => (
              <DropdownMenu.RadioItem
                key={one}
                value={one}
                onSelect={(event) => event.preventDefault()}
                className={`${itemClass} data-[state=checked]:font-semibold data-[state=checked]:text-brand`}
              >
                {words.nav.themes[one]}
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="my-1 h-px bg-line" />
          <DropdownMenu.Item className={itemClass} onSelect={() => signOut.mutate()}>
            {words.nav.signOut}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
