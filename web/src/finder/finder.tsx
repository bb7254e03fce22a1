import { Search } from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { loadPart } from '../session/reachability.ts'
import { iconButtonClass } from '../ui/button.tsx'
import { askFinder, watchFinder, type FinderMode } from '../ui/finder-requests.ts'
import { finderWords } from '../words/finder-words.ts'
import { EarlyKeyTaker, type EarlyKeys } from './early-keys.tsx'

const importWindow = async () => import('./finder-window.tsx')
const FinderWindow = lazy(async () =>
  loadPart(importWindow).then((module) => ({ default: module.FinderWindow })),
)

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)
/** The keys that open the finder, as they are written on the keyboard. */
const keys = isApple ? '⌘K' : 'Ctrl+K'

/** Loads the window of the finder when the page is at rest, so that it opens without a network. */
function preloadWhenIdle(): () => void {
  const timer = setTimeout(() => void importWindow().catch(() => undefined), 3_000)
  return () => clearTimeout(timer)
}

/** Opens the finder on its keys and on request. */
export function Finder({ orgId }: { orgId: string }) {
  const [mode, setMode] = useState<FinderMode>()
  const [early, setEarly] = useState<EarlyKeys>({ text: '', hasEntered: false })
  const close = useCallback(() => {
    setMode(undefined)
    setEarly({ text: '', hasEntered: false })
  }, [])
  useEffect(() => watchFinder(setMode), [])
  useEffect(preloadWhenIdle, [])
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const isOurs =
        event.key.toLowerCase() === 'k' &&
        (event.metaKey || event.ctrlKey) &&
        !event.altKey &&
        !event.shiftKey
      if (!isOurs || event.defaultPrevented) return
      // The browser would move to its own search field.
      event.preventDefault()
      if (document.querySelector('[role=dialog], [role=alertdialog]') === null) setMode('search')
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  if (mode === undefined) return null
  return (
    <Suspense fallback={<EarlyKeyTaker keys={early} onClose={close} />}>
      <FinderWindow orgId={orgId} mode={mode} early={early} onMode={setMode} onClose={close} />
    </Suspense>
  )
}

/** Opens the finder from the head of every page. */
export function FinderButton() {
  return (
    <button
      type="button"
      aria-label={finderWords.open}
      aria-keyshortcuts="Meta+K Control+K"
      title={finderWords.openHint(keys)}
      onClick={() => askFinder('search')}
      className={`${iconButtonClass} ms-auto md:ms-0`}
    >
      <Search size={20} aria-hidden />
    </button>
  )
}
