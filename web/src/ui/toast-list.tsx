import { X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { useShortcut } from './shortcut-keys.ts'
import { hideToast, readToasts, undoToast, watchToasts } from './toasts.ts'
import { commonWords } from '../words/common-words.ts'
import { Button } from './button.tsx'

/**
 * Shows the toasts of `showToast`. Screen readers read them, and they leave room for the thumb bar.
 */
export function Toasts() {
  const toasts = useSyncExternalStore(watchToasts, readToasts)
  useShortcut('z', undoLast)
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-3 bottom-20 z-40 flex flex-col items-center gap-2 md:bottom-6"
    >
      {toasts.map(({ id, text, kind, undo }) => (
        <div
          key={id}
          className={`pointer-events-auto flex max-w-md items-center gap-2 rounded-card border bg-surface py-1.5 ps-4 pe-1.5 text-sm shadow-lg ${kind === 'problem' ? 'border-danger text-danger' : 'border-line'}`}
        >
          <span className="flex-1">{text}</span>
          {undo !== undefined && (
            <Button aria-keyshortcuts="z" onClick={() => undoToast(id)}>
              {commonWords.undo}
            </Button>
          )}
          <Button look="quiet" aria-label={commonWords.close} onClick={() => hideToast(id)}>
            <X size={16} aria-hidden />
          </Button>
        </div>
      ))}
    </div>
  )
}

function undoLast() {
  const last = readToasts().findLast(({ undo }) => undo !== undefined)
  if (last !== undefined) undoToast(last.id)
}
