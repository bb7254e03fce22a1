import { joinPath } from '@everscan/contract/schema/paths.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { Plus } from 'lucide-react'
import { menuWords } from '../../words/menu-words.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import type { FormPaths } from '../schema-fields.tsx'
import { DishRow } from './dish-row.tsx'
import type { MenuActions } from './menu-actions.ts'
import type { MenuSection } from './menu-list.ts'
import { DragGrip, useDropPlace } from './menu-drag.tsx'
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
export function MenuSectionCard(props: Props) {
  const { sections, section, at, path, form, actions, isOpen, onOpen } = props
  const { items } = section
  const title = text.section(at + 1)
  const { isOver, target } = useDropPlace(actions, { section: at, at: items.length }, 'section')
  const { beside } = actions
  return (
    <fieldset
      className={`min-w-0 rounded-control border p-3 ${isOver ? 'border-brand' : 'border-line'}`}
      {...target}
    >
      <legend className="sr-only">{title}</legend>
      <SectionHead {...props} title={title} />
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
      {isOpen || form.hasProblemIn(path) ? (
        <Dishes {...props} />
      ) : (
        <Button className="mt-3" onClick={onOpen}>
          {text.open(`${section.name || title} (${items.length})`)}
        </Button>
      )}
    </fieldset>
  )
}

/** Edits the name of a section, which can be moved, copied and removed. */
function SectionHead({ sections, section, at, path, form, actions, title }: Props & { title: string }) {
  const moveTo = (to: number) => {
    if (to < 0 || to >= sections.length) return
    actions.onSections(moveSection(sections, at, to), { section: to, at: -1 })
  }
  return (
    <div className="flex items-end gap-1" data-dish={`${at}.-1`}>
      <DragGrip
        title={title}
        name={section.name}
        place={{ section: at, at: -1 }}
        onDrag={actions.onDrag}
        className="h-10 w-5 items-center"
      />
      <Field
        label={text.sectionName}
        data-field="name"
        className="min-w-0 flex-1"
        autoComplete="off"
        aria-required
        problem={form.problemAt(joinPath(path, 'name'))}
        value={section.name}
        onChange={(event) => actions.onSections(sections.with(at, { ...section, name: event.target.value }))}
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
  )
}

function Dishes({ sections, section: { items }, at, path, form, actions }: Props) {
  const add = () =>
    actions.onSections(
      changeItems(sections, at, (all) => [...all, dishIn({ name: '' }, actions.currency)]),
      { section: at, at: items.length },
    )
  return (
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
  )
}
