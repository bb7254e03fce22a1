import type { Organization, User } from '@everscan/client/create-client.ts'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import {
  ChartColumn,
  ChevronsUpDown,
  CircleUserRound,
  CodeXml,
  FileUp,
  Plus,
  QrCode,
  Settings,
} from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { api, queries } from '../session/api.ts'
import { Finder, FinderButton } from '../finder/finder.tsx'
import { Confirmation } from '../session/confirmation.tsx'
import { ConnectionBar } from '../session/connection-bar.tsx'
import { forgetEndedSession } from '../session/ended-session.ts'
import { dropSelections } from '../session/kept/kept-selections.ts'
import { dropAllWork, hasKeptWork } from '../session/kept/kept-work.ts'
import { addOrganization } from '../session/organizations.ts'
import { readTheme, showTheme, themes, type Theme } from '../ui/theme.ts'
import { currentLanguage } from '../words/chosen-language.ts'
import { commonWords } from '../words/common-words.ts'
import type { Language } from '../words/languages.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { changeLanguage, languageOptions } from '../ui/language-choice.tsx'
import { Logo } from '../ui/logo.tsx'
import { Menu, MenuItem, menuItemClass, MenuLine, MenuLink } from '../ui/menu.tsx'
import { NameDialog } from '../ui/name-dialog.tsx'
import { Shortcuts } from './shortcuts-dialog.tsx'
import { Toasts } from '../ui/toast-list.tsx'
import { hasUnsaved } from '../ui/unsaved.ts'

type Props = {
  user: User
  organizations: readonly Organization[]
  organization: Organization
  children: ReactNode
}

/** Surrounds every page of an organization. */
export function Shell({ user, organizations, organization, children }: Props) {
  const head = useHeadHeight()
  return (
    <>
      <a
        href="#content"
        className="sr-only rounded-control bg-brand px-3 py-2 text-on-brand focus:not-sr-only focus:fixed focus:start-3 focus:top-3 focus:z-50"
      >
        {commonWords.skipToContent}
      </a>
      <header ref={head} className="sticky top-0 z-10 border-b border-line bg-surface">
        <div className="mx-auto flex h-14 max-w-6xl items-center gap-2 px-3 sm:px-5">
          <Link
            to="/$orgId/codes"
            params={{ orgId: organization.id }}
            className="me-1 hidden shrink-0 sm:inline-flex"
          >
            {/* Between a phone and a wide window, the sections need the room of its name. */}
            <Logo nameClass="md:max-xl:sr-only" />
          </Link>
          <OrganizationMenu organizations={organizations} organization={organization} />
          <Sections orgId={organization.id} />
          <FinderButton />
          <AccountMenu user={user} orgId={organization.id} />
        </div>
        <ConnectionBar className="border-t border-line" />
      </header>
      {organization.demo === true && <DemoBanner role={organization.role} />}
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto max-w-6xl px-3 pt-6 pb-28 outline-none sm:px-5 md:py-8"
      >
        {children}
      </main>
      <Toasts />
      <Confirmation />
      <Shortcuts orgId={organization.id} />
      <Finder key={organization.id} orgId={organization.id} />
    </>
  )
}

/** Tells the styles the height of the head, below which other parts stick. */
function useHeadHeight(): RefObject<HTMLElement | null> {
  const head = useRef<HTMLElement>(null)
  useEffect(() => {
    const { current } = head
    if (current === null) return undefined
    const observer = new ResizeObserver(() =>
      document.documentElement.style.setProperty('--head', `${current.offsetHeight}px`),
    )
    observer.observe(current)
    return () => observer.disconnect()
  }, [])
  return head
}

/** Says that the figures are made up, and to an ADMIN how to be rid of them. */
function DemoBanner({ role }: Pick<Organization, 'role'>) {
  return (
    <aside
      aria-label={commonWords.demo.label}
      className="border-b border-line bg-raised px-3 py-2 text-center text-sm sm:px-5"
    >
      {commonWords.demo.text}
      {role === 'ADMIN' && (
        <>
          {' '}
          {commonWords.demo.remove}{' '}
          <code className="rounded-control border border-line bg-surface px-1.5 py-0.5 font-mono whitespace-nowrap">
            {commonWords.demo.command}
          </code>
        </>
      )}
    </aside>
  )
}

/** Sections of an organization, in the order of the bar. */
const sections = [
  { to: '/$orgId/codes', icon: QrCode, name: commonWords.nav.codes },
  { to: '/$orgId/analytics', icon: ChartColumn, name: commonWords.nav.analytics },
  { to: '/$orgId/imports', icon: FileUp, name: commonWords.nav.imports },
  { to: '/$orgId/developers', icon: CodeXml, name: commonWords.nav.developers },
  { to: '/$orgId/settings', icon: Settings, name: commonWords.nav.settings },
] as const

/**
 * Shows the sections: in the head of a wide window, or within reach of the thumb. A window of a
 * medium width, or one that is magnified, has room for their names only.
 */
function Sections({ orgId }: { orgId: string }) {
  return (
    <nav
      aria-label={commonWords.nav.label}
      className="fixed inset-x-0 bottom-0 z-20 flex justify-around border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:static md:me-auto md:justify-start md:border-0 md:pb-0 lg:ms-4 lg:gap-1"
    >
      {sections.map(({ to, icon: Icon, name }) => (
        <Link
          key={to}
          to={to}
          params={{ orgId }}
          className="flex min-h-14 min-w-0 flex-auto flex-col items-center justify-center gap-1 px-0.5 text-[0.6875rem] font-medium text-soft hover:text-ink aria-[current=page]:text-brand md:min-h-10 md:flex-none md:flex-row md:gap-2 md:rounded-control md:px-2.5 md:text-sm md:aria-[current=page]:bg-raised md:aria-[current=page]:text-ink lg:px-3"
        >
          <Icon size={18} aria-hidden className="md:max-lg:hidden" />
          <span className="max-w-full truncate">{name}</span>
        </Link>
      ))}
    </nav>
  )
}

function OrganizationMenu({ organizations, organization }: Pick<Props, 'organizations' | 'organization'>) {
  const [asking, setAsking] = useState(false)
  const navigate = useNavigate()
  return (
    <>
      <Menu
        align="start"
        trigger={
          <button
            type="button"
            className="flex min-h-10 min-w-0 cursor-pointer items-center gap-2 rounded-control px-2 text-sm font-medium hover:bg-raised"
          >
            <span className="sr-only">
              {commonWords.nav.organization}
              {commonWords.colon}{' '}
            </span>
            <span className="truncate">{organization.name}</span>
            <ChevronsUpDown size={16} aria-hidden className="shrink-0 text-soft" />
          </button>
        }
      >
        {organizations.map(({ id, name }) => (
          <MenuLink key={id}>
            <Link to="/$orgId/codes" params={{ orgId: id }}>
              {name}
            </Link>
          </MenuLink>
        ))}
        <MenuLine />
        <MenuItem onSelect={() => setAsking(true)}>
          <Plus size={16} aria-hidden />
          {commonWords.newOrganization.title}
        </MenuItem>
      </Menu>
      {asking && (
        <NameDialog
          title={commonWords.newOrganization.title}
          text={commonWords.newOrganization.text}
          label={commonWords.newOrganization.name}
          action={commonWords.newOrganization.action}
          onSave={async (name) => {
            const made = await api.organizations.create({ name })
            addOrganization(made)
            await navigate({ to: '/$orgId/codes', params: { orgId: made.id } })
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

function AccountMenu({ user, orgId }: { user: User; orgId: string }) {
  const [asking, setAsking] = useState(false)
  const signOut = useSignOut(user.id)
  return (
    <>
      <Menu
        trigger={
          <button
            type="button"
            aria-label={commonWords.nav.account}
            className="flex size-10 shrink-0 cursor-pointer items-center justify-center rounded-full text-soft hover:bg-raised hover:text-ink"
          >
            <CircleUserRound size={22} aria-hidden />
          </button>
        }
      >
        <AccountLinks user={user} orgId={orgId} />
        <MenuLine />
        <ThemeSection />
        <MenuLine />
        <LanguageSection />
        <MenuLine />
        <MenuItem
          onSelect={() => {
            if (hasUnsaved() || hasKeptWork(user.id)) setAsking(true)
            else signOut.mutate()
          }}
        >
          {commonWords.nav.signOut}
        </MenuItem>
      </Menu>
      {asking && (
        <ConfirmDialog
          {...commonWords.signOut}
          onConfirm={async () => signOut.mutateAsync()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

function ThemeSection() {
  const [theme, setTheme] = useState(readTheme)
  return (
    <RadioSection
      label={commonWords.nav.theme}
      value={theme}
      onChoose={(value) => {
        showTheme(value as Theme)
        setTheme(value as Theme)
      }}
    >
      {themes.map((one) => (
        <DropdownMenu.RadioItem
          key={one}
          value={one}
          onSelect={(event) => event.preventDefault()}
          className={radioItemClass}
        >
          {commonWords.nav.themes[one]}
        </DropdownMenu.RadioItem>
      ))}
    </RadioSection>
  )
}

function LanguageSection() {
  return (
    <RadioSection
      label={commonWords.nav.language}
      value={currentLanguage()}
      onChoose={(value) => changeLanguage(value as Language)}
    >
      {languageOptions.map(([language, name]) => (
        <DropdownMenu.RadioItem key={language} value={language} lang={language} className={radioItemClass}>
          {name}
        </DropdownMenu.RadioItem>
      ))}
    </RadioSection>
  )
}

function useSignOut(userId: string) {
  const navigate = useNavigate()
  return useMutation({
    mutationFn: async () => api.auth.signOut(),
    onSuccess: async () => {
      dropAllWork(userId)
      dropSelections()
      forgetEndedSession()
      queries.clear()
      await navigate({ to: '/sign-in', ignoreBlocker: true })
    },
  })
}

function AccountLinks({ user, orgId }: { user: User; orgId: string }) {
  return (
    <>
      <DropdownMenu.Label className="px-3 py-2 text-sm">
        <span className="block font-medium">{user.name}</span>
        <span className="block text-soft">{user.email}</span>
      </DropdownMenu.Label>
      <MenuLine />
      <MenuLink>
        <Link to="/$orgId/account" params={{ orgId }}>
          {commonWords.nav.account}
        </Link>
      </MenuLink>
      <MenuLink>
        <a href="/docs/guide" target="_blank" rel="noopener">
          {commonWords.nav.guide}
        </a>
      </MenuLink>
    </>
  )
}

const radioItemClass = `${menuItemClass} data-[state=checked]:font-semibold data-[state=checked]:text-brand`

type RadioProps = { label: string; value: string; onChoose: (value: string) => void; children: ReactNode }

function RadioSection({ label, value, onChoose, children }: RadioProps) {
  return (
    <>
      <DropdownMenu.Label className="px-3 pt-1 text-xs text-soft">{label}</DropdownMenu.Label>
      <DropdownMenu.RadioGroup value={value} onValueChange={onChoose}>
        {children}
      </DropdownMenu.RadioGroup>
    </>
  )
}
