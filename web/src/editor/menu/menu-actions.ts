import type { MenuSection } from './menu-list.ts'
import type { DishPlace } from './menu-sections.ts'

/** Changes that a row or a section of a menu makes. */
export type MenuActions = {
  currency: string
  /** The language whose texts are beside those of the menu. Empty: none. */
  beside: string
  /** Changes the sections, and focuses a dish then. */
  onSections: (sections: readonly MenuSection[], focus?: DishPlace) => void
  /** Moves a dish, or a section if its `at` is -1. */
  onMove: (from: DishPlace, to: DishPlace) => void
  onRemoveDish: (place: DishPlace) => void
  onRemoveSection: (at: number) => void
  onPaste: (place: DishPlace, pasted: string) => void
  /** The dish or section that is being dragged. */
  dragged: DishPlace | undefined
  onDrag: (place: DishPlace | undefined) => void
}
