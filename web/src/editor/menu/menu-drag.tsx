import { GripVertical } from 'lucide-react'
import { useState, type DragEvent } from 'react'
import { menuWords } from '../../words/menu-words.ts'
import type { MenuActions } from './menu-actions.ts'
import type { DishPlace } from './menu-sections.ts'

/**
 * Makes an element take dishes and sections that are dropped on it: they move to `place`.
 * `isOver` while a thing of the same kind is above it, which gets in before it.
 */
export function useDropPlace(actions: MenuActions, place: DishPlace, kind: 'dish' | 'section') {
  const [isOver, setIsOver] = useState(false)
  const { dragged, onMove, onDrag } = actions
  const target = {
    onDragOver: (event: DragEvent) => {
      if (dragged === undefined) return
      event.preventDefault()
      setIsOver(kind === 'section' ? dragged.at < 0 : dragged.at >= 0)
    },
    onDragLeave: () => setIsOver(false),
    onDrop: (event: DragEvent) => {
      setIsOver(false)
      if (dragged === undefined) return
      event.preventDefault()
      event.stopPropagation()
      onMove(dragged, place)
      onDrag(undefined)
    },
  }
  return { isOver, target }
}

type Props = {
  /** Title of the dish or the section that it drags. */
  title: string
  name: string
  place: DishPlace
  onDrag: MenuActions['onDrag']
  className: string
}

/** Drags a dish or a section. Keys and the menu of the row do the same. */
export function DragGrip({ title, name, place, onDrag, className }: Props) {
  return (
    <span
      draggable
      aria-hidden
      title={menuWords.drag(title)}
      data-drag={`${place.section}.${place.at}`}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', name)
        onDrag(place)
      }}
      onDragEnd={() => onDrag(undefined)}
      className={`hidden cursor-grab justify-center text-soft @lg:flex ${className}`}
    >
      <GripVertical size={16} />
    </span>
  )
}
