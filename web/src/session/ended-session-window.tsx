import { useEffect, useRef, useSyncExternalStore, type ReactNode, type RefObject } from 'react'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { loadAnew } from '../ui/unsaved.ts'
import { endedSessionWords } from '../words/sign-in-words.ts'
import { queries, readUser } from './api.ts'
import {
  askToSignIn,
  goOnAs,
  leaveSession,
  readEndedSession,
  watchEndedSession,
  watchOtherTabs,
  type EndedSession,
} from './ended-session.ts'
import { SignInForm } from './sign-in-form.tsx'

const text = endedSessionWords

/** Asks the user of a page to sign in again, if their session ended while they were working. */
export function EndedSessionWindow() {
  const ended = useSyncExternalStore(watchEndedSession, readEndedSession)
  const lastFocused = useLastFocused()
  useEffect(() => watchOtherTabs(readUser), [])
  // Reads that failed in the meantime.
  const isOver = ended === undefined
  const wasOver = useRef(isOver)
  useEffect(() => {
    if (isOver && !wasOver.current) void queries.invalidateQueries()
    wasOver.current = isOver
  }, [isOver])
  if (ended === undefined || ended.state === 'left') return null
  return (
    <KeepsFocus key={ended.state} lastFocused={lastFocused}>
      {ended.state === 'asking' ? <SignInAgain ended={ended} /> : <OtherAccount ended={ended} />}
    </KeepsFocus>
  )
}

function SignInAgain({ ended: { user } }: { ended: EndedSession }) {
  return (
    <Dialog title={text.title} text={text.text} onClose={leaveSession}>
      <SignInForm
        startEmail={user.email}
        onSignedIn={async (signedIn) => {
          if (signedIn.user.id === user.id) queries.setQueryData(['me'], signedIn.user)
          goOnAs(signedIn.user)
        }}
      />
      <div className="mt-4 border-t border-line pt-3">
        <Button look="quiet" className="-ms-3.5" onClick={leaveSession}>
          {text.notNow}
        </Button>
      </div>
    </Dialog>
  )
}

/** Cannot be closed: the page would go on with the rights of another account. */
function OtherAccount({ ended: { user, other } }: { ended: EndedSession }) {
  return (
    <Dialog title={text.otherTitle} text={text.otherText(user.email, other?.email)}>
      <p className="mb-4 text-sm text-soft">{text.otherHint(user.email)}</p>
      <div className="grid gap-2">
        <Button look="primary" autoFocus data-autofocus className="break-all" onClick={askToSignIn}>
          {text.signInAs(user.email)}
        </Button>
        <Button className="break-all" onClick={loadAnew}>
          {text.goOnAs(other?.email)}
        </Button>
      </div>
    </Dialog>
  )
}

/**
 * Gives the focus back when the window has closed. A control that waits for its request is
 * disabled, so it has lost the focus, and cannot take it back before its request has an answer.
 */
function KeepsFocus({
  lastFocused,
  children,
}: {
  lastFocused: RefObject<HTMLElement | undefined>
  children: ReactNode
}) {
  useEffect(() => {
    const target = lastFocused.current
    return () => {
      const untilMs = performance.now() + 3_000
      const giveBack = () => {
        const now = document.activeElement
        if (target === undefined || (now !== null && now !== document.body)) return
        target.focus()
        if (document.activeElement !== target && performance.now() < untilMs) requestAnimationFrame(giveBack)
      }
      requestAnimationFrame(giveBack)
    }
  }, [lastFocused])
  return children
}

/** Returns the control outside of this window that was focused last. */
function useLastFocused(): RefObject<HTMLElement | undefined> {
  const last = useRef<HTMLElement | undefined>(undefined)
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent) => {
      const state = readEndedSession()?.state
      if (target instanceof HTMLElement && (state === undefined || state === 'left')) last.current = target
    }
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [])
  return last
}
