import { useNavigate } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { useMay } from '../session/roles.ts'
import { useShortcut } from '../ui/shortcut-keys.ts'
import { commonWords } from '../words/common-words.ts'
import { Dialog } from '../ui/dialog.tsx'

const text = commonWords.shortcuts

/** Handles the keys that work on every page of an organization. `?` shows all shortcuts. */
export function Shortcuts({ orgId }: { orgId: string }) {
  const [open, setOpen] = useState(false)
  const navigate = useNavigate()
  const mayEdit = useMay(orgId, 'EDITOR')
  useShortcut(
    'c',
    useCallback(() => {
      if (mayEdit) void navigate({ to: '/$orgId/codes/new', params: { orgId } })
    }, [mayEdit, navigate, orgId]),
  )
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
