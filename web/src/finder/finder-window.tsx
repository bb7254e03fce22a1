import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useState } from 'react'
import { organizationsQuery } from '../session/session.ts'
import { iconButtonClass } from '../ui/button.tsx'
import type { FinderMode } from '../ui/finder-requests.ts'
import { commonWords } from '../words/common-words.ts'
import { finderWords, pictureWords } from '../words/finder-words.ts'
import type { EarlyKeys } from './early-keys.tsx'
import type { FinderItem } from './finder-groups.ts'
import { PictureFinder } from './picture-finder.tsx'
import { rememberItem } from './recent-items.ts'
import { SearchFinder } from './search-finder.tsx'

type Props = {
  orgId: string
  mode: FinderMode
  early: EarlyKeys
  onMode: (mode: FinderMode) => void
  onClose: () => void
}

/** Shows the finder over the page: a search field with its results, or the camera. */
export function FinderWindow({ orgId, mode, early, onMode, onClose }: Props) {
  const navigate = useNavigate()
  const { data: organizations } = useSuspenseQuery(organizationsQuery)
  const role = organizations.find(({ id }) => id === orgId)?.role ?? 'VIEWER'
  const [opener] = useState(() => document.activeElement)
  const [hasGone, setGone] = useState(false)
  const choose = (item: FinderItem) => {
    if (item.recent !== undefined) rememberItem(orgId, item.recent)
    if ('mode' in item.target) return onMode(item.target.mode)
    setGone(true)
    onClose()
    void navigate(item.target.link)
  }
  return (
    <Radix.Root open onOpenChange={(open) => open || onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-30 bg-black/50" />
        <Radix.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (!hasGone && opener instanceof HTMLElement) opener.focus()
          }}
          className="fixed inset-x-2 top-2 z-30 flex max-h-[calc(100dvh-1rem)] flex-col overflow-hidden rounded-card border border-line bg-surface shadow-xl sm:inset-x-auto sm:start-1/2 sm:top-[10vh] sm:max-h-[80vh] sm:w-[calc(100%-2rem)] sm:max-w-2xl sm:-translate-x-1/2 rtl:sm:translate-x-1/2"
        >
          <Radix.Title className="sr-only">
            {mode === 'search' ? finderWords.title : pictureWords.title}
          </Radix.Title>
          <Radix.Close
            aria-label={commonWords.close}
            className={`${iconButtonClass} absolute end-1.5 top-1.5 z-10`}
          >
            <X size={18} aria-hidden />
          </Radix.Close>
          {mode === 'search' ? (
            <SearchFinder orgId={orgId} role={role} early={early} onChoose={choose} />
          ) : (
            <PictureFinder
              orgId={orgId}
              organizations={organizations}
              onFound={(found, code) => {
                if (found === orgId) rememberItem(orgId, { kind: 'code', id: code.id, name: code.name })
                setGone(true)
                onClose()
                void navigate({
                  to: '/$orgId/codes/$codeId',
                  params: { orgId: found, codeId: code.id },
                })
              }}
              onBack={() => onMode('search')}
            />
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
