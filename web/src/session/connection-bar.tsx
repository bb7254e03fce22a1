import { useMutationState } from '@tanstack/react-query'
import { CloudOff, LogIn, WifiOff } from 'lucide-react'
import { useSyncExternalStore, type ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { commonWords } from '../words/common-words.ts'
import { endedSessionWords, signInWords } from '../words/sign-in-words.ts'
import { askToSignIn, readEndedSession, watchEndedSession } from './ended-session.ts'
import { readReach, watchReach, type Reach } from './reachability.ts'
import { readWaitingChanges, watchWaitingChanges } from './recovery.ts'

const text = commonWords.connection

export const useReach = () => useSyncExternalStore(watchReach, readReach)

/** Shows in a quiet line why nothing is saved now, while that is so. */
export function ConnectionBar({ className = '' }: { className?: string }) {
  const reach = useReach()
  const ended = useSyncExternalStore(watchEndedSession, readEndedSession)
  return (
    // Always there: screen readers read only what appears in an element that they know.
    <div role="status">
      {reach !== 'reached' ? (
        <Line className={className}>
          {reach === 'offline' ? (
            <WifiOff size={18} aria-hidden className="shrink-0" />
          ) : (
            <CloudOff size={18} aria-hidden className="shrink-0" />
          )}
          <Unreached reach={reach} />
        </Line>
      ) : (
        ended?.state === 'left' && (
          <Line className={className}>
            <LogIn size={18} aria-hidden className="shrink-0" />
            <p className="flex-1">{endedSessionWords.left}</p>
            <Button className="-my-1" onClick={askToSignIn}>
              {signInWords.submit}
            </Button>
          </Line>
        )
      )}
    </div>
  )
}

function Line({ className, children }: { className: string; children: ReactNode }) {
  return (
    <div className={`bg-raised text-sm text-ink ${className}`}>
      <div className="mx-auto flex max-w-6xl items-center gap-2.5 px-3 py-2 sm:px-5">{children}</div>
    </div>
  )
}

function Unreached({ reach }: { reach: Exclude<Reach, 'reached'> }) {
  const paused = useMutationState({
    filters: { status: 'pending' },
    select: ({ state }) => state.isPaused,
  })
  const waits = useSyncExternalStore(watchWaitingChanges, readWaitingChanges) > 0 || paused.includes(true)
  const readOn = reach === 'offline' ? text.readOn : text.readOnUnreached
  return (
    <p className="flex-1">
      <strong className="font-medium">{text[reach]}</strong> {waits ? text.waiting : readOn}
    </p>
  )
}
