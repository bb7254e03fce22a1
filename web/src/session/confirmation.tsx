import { lazy, Suspense, useSyncExternalStore } from 'react'
import { readPendingConfirmation, watchPendingConfirmation } from './confirmations.ts'
import { loadPart } from './reachability.ts'

const ConfirmationDialog = lazy(async () =>
  loadPart(async () => import('./confirmation-dialog.tsx')).then((module) => ({
    default: module.ConfirmationDialog,
  })),
)

/** Asks for a second factor whenever a request of the user waits for one. */
export function Confirmation() {
  const pending = useSyncExternalStore(watchPendingConfirmation, readPendingConfirmation)
  return <Suspense>{pending !== undefined && <ConfirmationDialog pending={pending} />}</Suspense>
}
