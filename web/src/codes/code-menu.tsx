import type { TypedQrCode } from '@everscan/client/create-client.ts'
import type { QrCodeStatus } from '@everscan/contract/resources/qr-codes.ts'
import { useNavigate } from '@tanstack/react-router'
import { Archive, ArchiveRestore, CopyPlus, Ellipsis, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, queries } from '../session/api.ts'
import { forgetLists, keepCode } from './codes.ts'
import { showProblem } from '../ui/problems.ts'
import { showToast } from '../ui/toasts.ts'
import { editorWords } from '../words/editor-words.ts'
import { Button } from '../ui/button.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx'

const text = editorWords.head

/** Shows the actions on a code as a whole, for users who may change it. */
export function CodeMenu({ orgId, code }: { orgId: string; code: TypedQrCode }) {
  const navigate = useNavigate()
  const [isDeleting, setDeleting] = useState(false)
  const isActive = code.status === 'ACTIVE'

  const setStatus = async (status: QrCodeStatus) => {
    keepCode(orgId, await api.qrCodes.update(orgId, code.id, { status }))
    const back = status === 'ACTIVE' ? 'ARCHIVED' : 'ACTIVE'
    showToast({
      kind: 'good',
      text: status === 'ACTIVE' ? text.restored : text.archived,
      undo: () => void setStatus(back).catch(showProblem),
    })
  }
  const clone = async () => {
    const copy = await cloneCode(orgId, code.id)
    await navigate({ to: '/$orgId/codes/$codeId', params: { orgId, codeId: copy.id } })
    showToast({ kind: 'good', text: text.cloned(copy.name) })
  }
  const leave = async () => {
    // Unsaved changes of a deleted code can no longer be saved, so leaving asks for no
    // confirmation.
    await navigate({ to: '/$orgId/codes', params: { orgId }, ignoreBlocker: true })
    queries.removeQueries({ queryKey: ['code', orgId, code.id] })
  }
  return (
    <>
      <Menu
        trigger={
          <Button aria-label={text.actions} className="shrink-0 px-2.5">
            <Ellipsis size={18} aria-hidden />
          </Button>
        }
      >
        <MenuItem onSelect={() => void setStatus(isActive ? 'ARCHIVED' : 'ACTIVE').catch(showProblem)}>
          {isActive ? <Archive size={16} aria-hidden /> : <ArchiveRestore size={16} aria-hidden />}
          {isActive ? text.archive : text.restore}
        </MenuItem>
        <MenuItem onSelect={() => void clone().catch(showProblem)}>
          <CopyPlus size={16} aria-hidden />
          {text.clone}
        </MenuItem>
        <MenuLine />
        <MenuItem danger onSelect={() => setDeleting(true)}>
          <Trash2 size={16} aria-hidden />
          {text.delete}
        </MenuItem>
      </Menu>
      {isDeleting && (
        <DeleteDialog
          orgId={orgId}
          codes={[code]}
          onClose={() => setDeleting(false)}
          onDeleted={() => void leave()}
          {...(isActive && { onArchive: async () => setStatus('ARCHIVED') })}
        />
      )}
    </>
  )
}

async function cloneCode(orgId: string, id: string): Promise<TypedQrCode> {
  const { data, errors } = await api.batches.clone(orgId, [id])
  const [copy] = data
  if (copy === undefined) throw new Error(errors[0]?.error)
  forgetLists(orgId)
  return copy
}
