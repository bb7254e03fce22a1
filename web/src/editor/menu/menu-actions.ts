import type { MenuSection } from './menu-list.ts'
import type { DishPlace } from './menu-sections.ts'

/** Changes that a row or a section of a menu makes. */
export type MenuActions = {
  currency: string
  /** Changes the sections, and focuses a dish then. */
  onSections: (sections: readonly MenuSection[], focus?: DishPlace) => void
  onMove: (from: DishPlace, to: DishPlace) => void
  onRemoveDish: (place: DishPlace) => void
  onRemoveSection: (at: number) => void
  onPaste: (place: DishPlace, pasted: string) => void
  /** The dish that is being dragged. */
  dragged: DishPlace | undefined
  onDrag: (place: DishPlace | undefined) => void
}
