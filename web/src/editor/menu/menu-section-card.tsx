import { joinPath } from '@everscan/contract/schema/paths.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { Plus } from 'lucide-react'
import type { DragEvent } from 'react'
import { menuWords } from '../../words/menu-words.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import type { FormPaths } from '../schema-fields.tsx'
import { DishRow } from './dish-row.tsx'
import type { MenuActions } from './menu-actions.ts'
import type { MenuSection } from './menu-list.ts'
import { RowMenu } from './row-menu.tsx'
import { changeItems, dishIn } from './menu-sections.ts'

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
  const swap = (to: number) => {
    const other = sections[to]
    if (other !== undefined) actions.onSections(sections.with(at, other).with(to, section))
  }
  const drop = (event: DragEvent) => {
    if (actions.dragged === undefined) return
    event.preventDefault()
    actions.onMove(actions.dragged, { section: at, at: items.length })
    actions.onDrag(undefined)
  }
  return (
    <fieldset className="min-w-0 rounded-control border border-line p-3">
      <legend className="sr-only">{title}</legend>
      <div className="flex items-end gap-1" data-dish={`${at}.-1`}>
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
        />
        <RowMenu
          name={title}
          onUp={at === 0 ? undefined : () => swap(at - 1)}
          onDown={at === sections.length - 1 ? undefined : () => swap(at + 1)}
          onDuplicate={() => actions.onSections(sections.toSpliced(at + 1, 0, section))}
          onRemove={sections.length === 1 ? undefined : () => actions.onRemoveSection(at)}
        />
      </div>
      {isShown ? (
        <div
          className="mt-3 grid gap-3 @lg:gap-1.5"
          onDragOver={(event) => actions.dragged !== undefined && event.preventDefault()}
          onDrop={drop}
        >
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
