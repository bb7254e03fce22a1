import { useCallback, useState } from 'react'
import { useShortcut } from '../lib/shortcuts.ts'
import { words } from '../words.ts'
import { Dialog } from './dialog.tsx'

const text = words.shortcuts

/** `?` shows what the keyboard does. */
export function Shortcuts() {
  const [open, setOpen] = useState(false)
  useShortcut(
    '?',
    useCallback(() => setOpen(true), []),
  )
  if (!open) return null
  return (
    <Dialog title={text.title} onClose={() => setOpen(false)}>
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2.5">
        {text.keys.map(([key, does]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded-control border border-line bg-raised px-2 py-1 font-mono text-sm">
                {key}
              </kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
