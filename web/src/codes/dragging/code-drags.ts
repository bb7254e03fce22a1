import type { Folder } from '@everscan/client/create-client.ts'
import type { QrCode } from '@everscan/contract/resources/qr-codes.ts'
import { useState, type DragEvent } from 'react'
import { showProblem } from '../../ui/problems.ts'
import { bulkWords } from '../../words/codes-words.ts'
import { changeCodes, codesText } from '../code-changes.ts'
import { moveFolder } from './folder-moves.ts'

/** The codes or the folder that the pointer drags. */
export type Dragged = { codes: readonly QrCode[] } | { folder: Folder; hasChildren: boolean }

/** A folder, or undefined for no folder: codes leave theirs, and a folder moves to the top. */
export type DropPlace = Folder | undefined

export type Drags = {
  dragged: Dragged | undefined
  /** Begins a drag. Undefined: it is over. */
  drag: (event: DragEvent, dragged: Dragged | undefined) => void
  /** Returns whether what is dragged may be dropped there, and would change something. */
  accepts: (place: DropPlace) => boolean
  drop: (place: DropPlace) => void
}

type Options = { orgId: string; mayEdit: boolean; onChanged: (codes: readonly QrCode[]) => void }

/**
 * Returns what the list and the tree of folders need for drag and drop. Undefined if the user may
 * not edit, or has no mouse: on a touch screen a drag scrolls, and "Move" does the same.
 */
export function useCodeDrags({ orgId, mayEdit, onChanged }: Options): Drags | undefined {
  const [dragged, setDragged] = useState<Dragged>()
  if (!mayEdit || !matchMedia('(hover: hover) and (pointer: fine)').matches) return undefined
  const accepts = (place: DropPlace) => dragged !== undefined && mayDrop(dragged, place)
  return {
    dragged,
    drag: (event, next) => {
      if (next !== undefined) prepare(event, next)
      // A browser ends a drag whose page changes while it begins.
      setTimeout(() => setDragged(next))
    },
    accepts,
    drop: (place) => {
      if (dragged === undefined || !accepts(place)) return
      setDragged(undefined)
      const moved =
        'folder' in dragged
          ? moveFolder(orgId, dragged.folder, place ?? null)
          : moveCodes(orgId, dragged.codes, { place, onChanged })
      moved.catch(showProblem)
    },
  }
}

function mayDrop(dragged: Dragged, place: DropPlace): boolean {
  const id = place?.id ?? null
  if ('codes' in dragged) return dragged.codes.some(({ folderId }) => folderId !== id)
  const { folder, hasChildren } = dragged
  if (folder.parentId === id || folder.id === id) return false
  // Folders nest only one level.
  return place === undefined || (place.parentId === null && !hasChildren)
}

async function moveCodes(
  orgId: string,
  codes: readonly QrCode[],
  { place, onChanged }: { place: DropPlace; onChanged: Options['onChanged'] },
): Promise<void> {
  const folderId = place?.id ?? null
  const others = codes.filter((code) => code.folderId !== folderId)
  await changeCodes(orgId, others, {
    updates: { folderId },
    done: (count) =>
      place === undefined
        ? bulkWords.done.unfiled(codesText(count))
        : bulkWords.done.moved(codesText(count), place.name),
    onChanged,
  })
}

/** Shows what is dragged beside the pointer. */
function prepare(event: DragEvent, dragged: Dragged): void {
  const { dataTransfer } = event
  const [first] = 'codes' in dragged ? dragged.codes : []
  const name =
    'folder' in dragged
      ? dragged.folder.name
      : dragged.codes.length === 1
        ? (first?.name ?? '')
        : codesText(dragged.codes.length)
  dataTransfer.clearData()
  dataTransfer.setData('text/plain', name)
  dataTransfer.effectAllowed = 'move'
  const label = document.createElement('div')
  label.textContent = name
  label.className =
    'fixed -top-40 start-0 max-w-64 truncate rounded-control border border-brand bg-surface px-3 py-2 text-sm font-medium text-ink'
  document.body.append(label)
  dataTransfer.setDragImage(label, -8, -8)
  setTimeout(() => label.remove())
}
