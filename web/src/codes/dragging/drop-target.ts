import { useState, type DragEvent } from 'react'
import type { DropPlace, Drags } from './code-drags.ts'

/** Returns the attributes of an element on which codes and folders are dropped. */
export function useDropTarget(drags: Drags | undefined, place: DropPlace) {
  const [isOver, setIsOver] = useState(false)
  if (drags === undefined) return { isOver: false, target: {} }
  const accepts = drags.accepts(place)
  return {
    isOver: isOver && accepts,
    target: {
      onDragOver: (event: DragEvent) => {
        if (!accepts) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'move'
        setIsOver(true)
      },
      onDragLeave: () => setIsOver(false),
      onDrop: (event: DragEvent) => {
        setIsOver(false)
        if (!accepts) return
        event.preventDefault()
        drags.drop(place)
      },
    },
  }
}
