import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import {
  Archive,
  ArchiveRestore,
  CopyPlus,
  Download,
  FolderInput,
  Printer,
  Table2,
  Tags,
  Trash2,
  type LucideIcon,
} from 'lucide-react'
import { useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { changeCodes, cloneCodes, codesText } from './code-changes.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { showProblem } from '../ui/problems.ts'
import { bulkWords } from '../words/codes-words.ts'
import { LabelsDialog } from './labels-dialog.tsx'
import { MenuItem, MenuLine } from '../ui/menu.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { PicturesDialog } from './pictures-dialog.tsx'
import { TagsDialog } from './tags-dialog.tsx'

const text = bulkWords

/** Actions for one code or many, in the order of the menu. */
export const codeActions = {
  move: { icon: FolderInput, edits: true },
  tags: { icon: Tags, edits: true },
  table: { icon: Table2, edits: true },
  download: { icon: Download, edits: false },
  labels: { icon: Printer, edits: false },
  clone: { icon: CopyPlus, edits: true },
  archive: { icon: Archive, edits: true },
  restore: { icon: ArchiveRestore, edits: true },
  delete: { icon: Trash2, edits: true },
} as const satisfies Record<string, { icon: LucideIcon; edits: boolean }>

export type CodeAction = keyof typeof codeActions

/** Returns the actions that the user may take on these codes and that make sense. */
export function actionsFor(codes: readonly QrCode[], mayEdit: boolean): CodeAction[] {
  const all = Object.keys(codeActions) as CodeAction[]
  return all.filter((action) => {
    if (codeActions[action].edits && !mayEdit) return false
    if (action === 'table') return codes.length > 1
    if (action === 'archive') return codes.some(({ status }) => status === 'ACTIVE')
    if (action === 'restore') return codes.some(({ status }) => status === 'ARCHIVED')
    return true
  })
}

/** Shows actions as items of a menu. */
export function ActionItems({
  actions,
  onAct,
}: {
  actions: readonly CodeAction[]
  onAct: (action: CodeAction) => void
}) {
  return actions.map((action) => {
    const { icon: Icon } = codeActions[action]
    const isLast = action === 'delete'
    return (
      <div key={action}>
        {isLast && <MenuLine />}
        <MenuItem danger={isLast} onSelect={() => onAct(action)}>
          <Icon size={18} aria-hidden />
          {text.names[action]}
        </MenuItem>
      </div>
    )
  })
}

type Options = {
  orgId: string
  /** Called with the codes as they are after a change. */
  onChanged: (codes: readonly QrCode[]) => void
  onDeleted: (codes: readonly QrCode[]) => void
}

/** Returns a function that runs an action or opens its dialog. */
export function useCodeActions({ orgId, onChanged, onDeleted }: Options): {
  act: (action: CodeAction, codes: readonly QrCode[]) => void
  dialog: ReactNode
} {
  const navigate = useNavigate()
  const [asked, setAsked] = useState<{ action: CodeAction; codes: readonly QrCode[] }>()
  const setStatus = async (status: QrCode['status'], codes: readonly QrCode[]) => {
    // Codes that already have the status would only be reported as changed.
    const others = codes.filter((code) => code.status !== status)
    const done =
      status === 'ARCHIVED'
        ? (count: number) => text.done.archived(codesText(count))
        : (count: number) => (count === 1 ? text.done.restoredOne : text.done.restored(codesText(count)))
    await changeCodes(orgId, others, { updates: { status }, done, onChanged })
  }
  const act = (action: CodeAction, codes: readonly QrCode[]) => {
    switch (action) {
      case 'archive':
        return tell(setStatus('ARCHIVED', codes))
      case 'restore':
        return tell(setStatus('ACTIVE', codes))
      case 'clone':
        return tell(cloneCodes(orgId, codes))
      case 'table':
        return void navigate({
          to: '/$orgId/codes/table',
          params: { orgId },
          state: { bulkIds: codes.map(({ id }) => id) },
        })
      case 'delete':
      case 'move':
      case 'tags':
      case 'download':
      case 'labels':
        return setAsked({ action, codes })
      default:
        return action satisfies never
    }
  }
  const props = { orgId, codes: asked?.codes ?? [], onClose: () => setAsked(undefined) }
  const dialogs: Partial<Record<CodeAction, ReactNode>> = {
    move: <MoveDialog {...props} onChanged={onChanged} />,
    tags: <TagsDialog {...props} onChanged={onChanged} />,
    download: <PicturesDialog {...props} />,
    labels: <LabelsDialog {...props} />,
    delete: (
      <DeleteDialog
        {...props}
        onDeleted={onDeleted}
        {...(props.codes.some(({ status }) => status === 'ACTIVE') && {
          onArchive: async () => setStatus('ARCHIVED', props.codes),
        })}
      />
    ),
  }
  return { act, dialog: asked === undefined ? undefined : dialogs[asked.action] }
}

function tell(done: Promise<void>): void {
  done.catch(showProblem)
}
