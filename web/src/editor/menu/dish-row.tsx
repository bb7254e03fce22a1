import { joinPath } from '@everscan/contract/schema/paths.ts'
import { useId, useState, type KeyboardEvent } from 'react'
import { commonWords } from '../../words/common-words.ts'
import { menuWords } from '../../words/menu-words.ts'
import type { FormPaths } from '../schema-fields.tsx'
import { DishInputs, dishFields, type DishField } from './dish-inputs.tsx'
import { DishMarksDialog, marksText } from './dish-marks.tsx'
import type { Dish, MenuSection } from './menu-list.ts'
import type { MenuActions } from './menu-actions.ts'
import { DragGrip, useDropPlace } from './menu-drag.tsx'
import { changeItems, placeBeside, type DishPlace } from './menu-sections.ts'
import { translationOf, withTranslation } from './menu-translations.ts'
import { RowMenu } from './row-menu.tsx'
import { TranslatedText } from './translated-text.tsx'

const text = menuWords
/** Fields that are translated, and where a translation is: below its original. */
const translated = {
  name: {
    label: text.dishName,
    className: 'order-2 col-span-full @lg:order-none @lg:col-span-1 @lg:col-start-2',
  },
  description: { label: text.description, className: 'order-5 col-span-full @lg:order-none @lg:col-span-1' },
} as const

type Props = {
  sections: readonly MenuSection[]
  dish: Dish
  place: DishPlace
  path: string
  form: FormPaths
  actions: MenuActions
  /** Adds a dish at the end of the section. */
  onAdd: () => void
}

/** Edits a dish in one row, or in two on a narrow screen. */
export function DishRow(props: Props) {
  const { sections, dish, place, path, form, actions } = props
  const { section, at } = place
  const { isOver, target } = useDropPlace(actions, place, 'dish')
  const [asksMarks, setAsksMarks] = useState(false)
  const problemsId = useId()
  const title = text.dish(at + 1)
  const problems = dishProblems(props)
  const change = (changed: Partial<Dish>) =>
    actions.onSections(changeItems(sections, section, (items) => items.with(at, { ...dish, ...changed })))
  const cellOf = (field: DishField) => {
    const isWrong = problems.some((one) => one.field === field)
    return {
      'aria-invalid': isWrong,
      'aria-describedby': isWrong ? problemsId : undefined,
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => pressKey(event, props),
      onBlur: () => form.onLeave(joinPath(path, field)),
    }
  }
  return (
    <fieldset
      data-dish={`${section}.${at}`}
      className={`min-w-0 border-t-2 ${isOver ? 'border-brand' : 'border-transparent'}`}
      {...target}
    >
      <legend className="sr-only">{title}</legend>
      <div className="grid grid-cols-[minmax(0,1fr)_5.5rem_2.5rem] items-center gap-1.5 @lg:grid-cols-[1.25rem_minmax(0,2fr)_minmax(0,3fr)_5.5rem_2.5rem]">
        <DragGrip title={title} name={dish.name} place={place} onDrag={actions.onDrag} className="" />
        <DishInputs
          dish={dish}
          cellOf={cellOf}
          onPaste={(pasted) => actions.onPaste(place, pasted)}
          onChange={change}
        />
        <div className="order-1 @lg:order-none">
          <DishMenu {...props} title={title} onMarks={() => setAsksMarks(true)} />
        </div>
        <Translations dish={dish} language={actions.beside} onChange={change} />
      </div>
      <MarksButton marks={marksText(dish)} onPress={() => setAsksMarks(true)} />
      {asksMarks && (
        <DishMarksDialog name={title} dish={dish} onChange={change} onClose={() => setAsksMarks(false)} />
      )}
      {problems.length > 0 && (
        <p id={problemsId} className="mt-1 text-sm text-danger">
          {problems.map(({ problem }) => problem).join(' ')}
        </p>
      )}
    </fieldset>
  )
}

/** Returns the problems that the form has with a dish. */
function dishProblems({ form, path }: Props) {
  return dishFields.flatMap((field) => {
    const problem = form.problemAt(joinPath(path, field))
    return problem === undefined ? [] : [{ field, problem }]
  })
}

/** Alt and an arrow move the dish. Enter goes to the next one, which it adds after the last. */
function pressKey(event: KeyboardEvent<HTMLElement>, props: Props): void {
  const { sections, place, onAdd } = props
  if (event.nativeEvent.isComposing) return
  const field = event.currentTarget.dataset['field'] ?? 'name'
  if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
    event.preventDefault()
    moveOf(props, event.key === 'ArrowUp' ? 'up' : 'down')?.()
  } else if (event.key === 'Enter' && !(event.shiftKey && field === 'description')) {
    // It must not save the code. A description may have lines.
    event.preventDefault()
    if (place.at === (sections[place.section]?.items.length ?? 0) - 1) onAdd()
    else focusNext(event.currentTarget, field)
  }
}

/** Returns a function that moves a dish one up or down; undefined at both ends. */
function moveOf({ sections, place, actions }: Props, way: 'up' | 'down') {
  const to = placeBeside(sections, place, way)
  return to === undefined ? undefined : () => actions.onMove(place, to)
}

function DishMenu({ title, onMarks, ...props }: Props & { title: string; onMarks: () => void }) {
  const { sections, dish, place, actions } = props
  const { section, at } = place
  return (
    <RowMenu
      name={title}
      onUp={moveOf(props, 'up')}
      onDown={moveOf(props, 'down')}
      onMarks={onMarks}
      onDuplicate={() =>
        actions.onSections(
          changeItems(sections, section, (items) => items.toSpliced(at + 1, 0, dish)),
          { section, at: at + 1 },
        )
      }
      onRemove={() => actions.onRemoveDish(place)}
    />
  )
}

function MarksButton({ marks, onPress }: { marks: string; onPress: () => void }) {
  if (marks === '') return null
  return (
    <button
      type="button"
      aria-label={`${text.marks}${commonWords.colon} ${marks}`}
      onClick={onPress}
      className="mt-0.5 min-h-8 cursor-pointer rounded-control px-1 text-start text-sm text-soft hover:text-ink @lg:ms-6.5"
    >
      {marks}
    </button>
  )
}

type TranslationsProps = { dish: Dish; language: string; onChange: (changed: Partial<Dish>) => void }

/** Translates the texts that a dish has into a language. */
function Translations({ dish, language, onChange }: TranslationsProps) {
  if (language === '') return null
  const hasDescription =
    (dish.description ?? '') !== '' || translationOf(dish, language, 'description') !== ''
  return (['name', ...(hasDescription ? (['description'] as const) : [])] as const).map((field) => (
    <TranslatedText
      key={field}
      {...translated[field]}
      language={language}
      original={dish[field] ?? ''}
      value={translationOf(dish, language, field)}
      hasLines={field === 'description'}
      onChange={(words) => {
        const { translations } = withTranslation(dish, language, { field, text: words })
        onChange({ translations })
      }}
    />
  ))
}

/** Focuses the same field of the next dish. */
function focusNext(input: HTMLElement, field: string): void {
  const next = input.closest('[data-dish]')?.nextElementSibling
  next?.querySelector<HTMLElement>(`[data-field="${field}"]`)?.focus()
}
