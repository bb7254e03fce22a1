import { useEffect, useRef, useState } from 'react'
import { menuWords } from '../../words/menu-words.ts'
import { showToast } from '../../ui/toasts.ts'
import type { DraftData } from '../content-schemas.ts'
import type { MenuActions } from './menu-actions.ts'
import { readMenuList, type MenuSection, type ReadMenu } from './menu-list.ts'
import {
  changeItems,
  hasSeveralCurrencies,
  moveDish,
  moveSection,
  placeAfterMove,
  sectionsOf,
  sharedCurrency,
  withCurrency,
  withRead,
  type DishPlace,
} from './menu-sections.ts'

const text = menuWords

type Options = {
  /** The language whose texts are beside those of the menu. Empty: none. */
  beside: string
  onChange: (data: DraftData) => void
}

/** Returns the sections of a menu, and functions that change them. */
export function useMenuActions(data: DraftData, { beside, onChange }: Options) {
  const sections = sectionsOf(data)
  const [chosen, setChosen] = useState('EUR')
  const [dragged, setDragged] = useState<DishPlace>()
  const { body, latest, focusNext, tellRemoved } = useLatestMenu(data, onChange)
  const isMixed = hasSeveralCurrencies(sections)
  const currency = isMixed ? '' : (sharedCurrency(sections) ?? chosen)
  const change = (next: readonly MenuSection[], focus?: DishPlace) => {
    focusNext(focus)
    onChange({ ...data, sections: next })
  }
  const actions: MenuActions = {
    currency,
    beside,
    onSections: change,
    onMove: (from: DishPlace, to: DishPlace) =>
      from.at < 0
        ? change(moveSection(sections, from.section, to.section), { section: to.section, at: -1 })
        : change(moveDish(sections, from, to), placeAfterMove(from, to)),
    onRemoveDish: ({ section, at }: DishPlace) => {
      const dish = sections[section]?.items[at]
      change(changeItems(sections, section, (items) => items.toSpliced(at, 1)))
      if (dish !== undefined && dish.name !== '')
        tellRemoved(text.removedDish, (now) =>
          changeItems(now, section, (items) => items.toSpliced(at, 0, dish)),
        )
    },
    onRemoveSection: (at: number) => {
      const section = sections[at]
      change(sections.toSpliced(at, 1))
      if (section !== undefined && section.items.length > 0)
        tellRemoved(text.removedSection, (now) => now.toSpliced(at, 0, section))
    },
    onPaste: (place: DishPlace, pasted: string) => {
      const read = readMenuList(pasted)
      const money = currency === '' ? (read.currency ?? '') : currency
      change(withRead(sections, read, { currency: money, after: place }))
    },
    dragged,
    onDrag: setDragged,
  }
  return {
    /** Element of the editor: a dish in it gets the focus. */
    body,
    latest,
    sections,
    currency,
    isMixed,
    actions,
    setCurrency: (next: string) => {
      setChosen(next)
      onChange({ ...data, sections: withCurrency(sections, next) })
    },
    addRead: (read: ReadMenu) => {
      const money = read.currency ?? currency
      setChosen(money)
      change(withCurrency(withRead(sections, read, { currency: money }), money))
    },
  }
}

/** Holds the menu as it is by now, and focuses a dish after the next change. */
function useLatestMenu(data: DraftData, onChange: Options['onChange']) {
  const body = useRef<HTMLDivElement>(null)
  const wanted = useRef<DishPlace>(undefined)
  const latest = useRef(data)
  useEffect(() => {
    latest.current = data
    const place = wanted.current
    wanted.current = undefined
    if (place !== undefined) focusDish(body.current, place)
  })
  return {
    body,
    latest,
    focusNext: (place: DishPlace | undefined) => {
      wanted.current = place
    },
    /** Offers to put back what was removed, into what the menu is by then. */
    tellRemoved: (told: string, putBack: (now: MenuSection[]) => MenuSection[]) =>
      showToast({
        kind: 'good',
        text: told,
        undo: () => onChange({ ...latest.current, sections: putBack(sectionsOf(latest.current)) }),
      }),
  }
}

/** Focuses the name of a dish, or that of its section if `at` is -1. */
function focusDish(body: HTMLElement | null, { section, at }: DishPlace): void {
  body?.querySelector<HTMLElement>(`[data-dish="${section}.${at}"] [data-field="name"]`)?.focus()
}
