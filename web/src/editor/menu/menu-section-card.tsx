import { joinPath } from '@everscan/contract/schema/paths.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { GripVertical, Plus } from 'lucide-react'
import { useState, type DragEvent } from 'react'
import { menuWords } from '../../words/menu-words.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import type { FormPaths } from '../schema-fields.tsx'
import { DishRow } from './dish-row.tsx'
import type { MenuActions } from './menu-actions.ts'
import type { MenuSection } from './menu-list.ts'
import { RowMenu } from './row-menu.tsx'
import { changeItems, dishIn, moveSection } from './menu-sections.ts'
import { translationOf, withTranslation } from './menu-translations.ts'
import { TranslatedText } from './translated-text.tsx'

const text = menuWords

type Props = {
  sections: readonly MenuSection[]
  section: MenuSection
  at: number
  path: string
  form: FormPaths
  actions: MenuActions
  isOpen: boolean
  onOpen: () => void
}

/** Edits a section of a menu: its name, and its dishes as rows. */
export function MenuSectionCard({ sections, section, at, path, form, actions, isOpen, onOpen }: Props) {
  const { items } = section
  const title = text.section(at + 1)
  const isShown = isOpen || form.hasProblemIn(path)
  const add = () =>
    actions.onSections(
      changeItems(sections, at, (all) => [...all, dishIn({ name: '' }, actions.currency)]),
      { section: at, at: items.length },
    )
  const [isOver, setIsOver] = useState(false)
  const { beside, dragged } = actions
  const isSectionDragged = dragged !== undefined && dragged.at < 0
  const moveTo = (to: number) => {
    if (to < 0 || to >= sections.length) return
    actions.onSections(moveSection(sections, at, to), { section: to, at: -1 })
  }
  const drop = (event: DragEvent) => {
    setIsOver(false)
    if (dragged === undefined) return
    event.preventDefault()
    event.stopPropagation()
    actions.onMove(dragged, { section: at, at: items.length })
    actions.onDrag(undefined)
  }
  return (
    <fieldset
      className={`min-w-0 rounded-control border p-3 ${isOver ? 'border-brand' : 'border-line'}`}
      onDragOver={(event) => {
        if (dragged === undefined) return
        event.preventDefault()
        setIsOver(isSectionDragged)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <legend className="sr-only">{title}</legend>
      <div className="flex items-end gap-1" data-dish={`${at}.-1`}>
        <span
          draggable
          aria-hidden
          title={text.drag(title)}
          data-drag={`${at}.-1`}
          onDragStart={(event) => {
            event.dataTransfer.effectAllowed = 'move'
            event.dataTransfer.setData('text/plain', section.name)
            actions.onDrag({ section: at, at: -1 })
          }}
          onDragEnd={() => actions.onDrag(undefined)}
          className="hidden h-10 w-5 cursor-grab items-center justify-center text-soft @lg:flex"
        >
          <GripVertical size={16} />
        </span>
        <Field
          label={text.sectionName}
          data-field="name"
          className="min-w-0 flex-1"
          autoComplete="off"
          aria-required
          problem={form.problemAt(joinPath(path, 'name'))}
          value={section.name}
          onChange={(event) =>
            actions.onSections(sections.with(at, { ...section, name: event.target.value }))
          }
          onBlur={() => form.onLeave(joinPath(path, 'name'))}
          onKeyDown={(event) => {
            const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
            if (!event.altKey || step === undefined) return
            event.preventDefault()
            moveTo(at + step)
          }}
        />
        <RowMenu
          name={title}
          onUp={at === 0 ? undefined : () => moveTo(at - 1)}
          onDown={at === sections.length - 1 ? undefined : () => moveTo(at + 1)}
          onDuplicate={() =>
            actions.onSections(sections.toSpliced(at + 1, 0, section), { section: at + 1, at: -1 })
          }
          onRemove={sections.length === 1 ? undefined : () => actions.onRemoveSection(at)}
        />
      </div>
      {beside !== '' && (
        <TranslatedText
          label={text.sectionName}
          language={beside}
          original={section.name}
          value={translationOf(section, beside, 'name')}
          className="mt-1.5 @lg:ms-6 @lg:w-[calc(100%-4.25rem)]"
          onChange={(name) =>
            actions.onSections(
              sections.with(at, withTranslation(section, beside, { field: 'name', text: name })),
            )
          }
        />
      )}
      {isShown ? (
        <div className="mt-3 grid gap-3 @lg:gap-1.5">
          {items.map((dish, place) => (
            <DishRow
              // Dishes have no ids, and the form holds their content.
              // oxlint-disable-next-line no-array-index-key
              key={place}
              sections={sections}
              dish={dish}
              place={{ section: at, at: place }}
              path={joinPath(joinPath(path, 'items'), place)}
              form={form}
              actions={actions}
              onAdd={add}
            />
          ))}
          <div>
            <Button disabled={items.length >= limits.menuItemsMax} onClick={add}>
              <Plus size={16} aria-hidden />
              {text.addDish}
            </Button>
          </div>
        </div>
      ) : (
        <Button className="mt-3" onClick={onOpen}>
          {text.open(`${section.name || title} (${items.length})`)}
        </Button>
      )}
    </fieldset>
  )
}
