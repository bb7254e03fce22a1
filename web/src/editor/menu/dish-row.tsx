import { joinPath } from '@everscan/contract/schema/paths.ts'
import { GripVertical } from 'lucide-react'
import { useId, useState, type ClipboardEvent, type DragEvent, type KeyboardEvent } from 'react'
import { commonWords } from '../../words/common-words.ts'
import { menuWords } from '../../words/menu-words.ts'
import { inputClass } from '../../ui/field.tsx'
import type { FormPaths } from '../schema-fields.tsx'
import { numberOf } from '../typed-numbers.ts'
import { DishMarksDialog, marksText } from './dish-marks.tsx'
import type { Dish, MenuSection } from './menu-list.ts'
import type { MenuActions } from './menu-actions.ts'
import { shownPrice } from './menu-prices.ts'
import { changeItems, placeBeside, type DishPlace } from './menu-sections.ts'
import { translationOf, withTranslation } from './menu-translations.ts'
import { RowMenu } from './row-menu.tsx'
import { TranslatedText } from './translated-text.tsx'

const text = menuWords
const fields = ['name', 'description', 'price'] as const
type DishField = (typeof fields)[number]

/** A translation is below its original. */
const translatedNameClass = 'order-2 col-span-full @lg:order-none @lg:col-span-1 @lg:col-start-2'
const translatedDescriptionClass = 'order-5 col-span-full @lg:order-none @lg:col-span-1'

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
export function DishRow({ sections, dish, place, path, form, actions, onAdd }: Props) {
  const { section, at } = place
  const [isOver, setIsOver] = useState(false)
  const [asksMarks, setAsksMarks] = useState(false)
  const problemsId = useId()
  const title = text.dish(at + 1)
  const problems = fields.flatMap((field) => {
    const problem = form.problemAt(joinPath(path, field))
    return problem === undefined ? [] : [{ field, problem }]
  })
  const change = (changed: Partial<Dish>) =>
    actions.onSections(changeItems(sections, section, (items) => items.with(at, { ...dish, ...changed })))
  const move = (way: 'up' | 'down') => {
    const to = placeBeside(sections, place, way)
    return to === undefined ? undefined : () => actions.onMove(place, to)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    const field = event.currentTarget.dataset['field'] ?? 'name'
    const ways = { ArrowUp: 'up', ArrowDown: 'down' } as const
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown')) {
      event.preventDefault()
      move(ways[event.key])?.()
    } else if (event.key === 'Enter' && !(event.shiftKey && field === 'description')) {
      // It must not save the code. A description may have lines.
      event.preventDefault()
      if (at === (sections[section]?.items.length ?? 0) - 1) onAdd()
      else focusNext(event.currentTarget, field)
    }
  }
  const onPaste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const pasted = event.clipboardData.getData('text/plain').trim()
    if (!/[\n\r]/.test(pasted)) return
    event.preventDefault()
    actions.onPaste(place, pasted)
  }
  const { beside } = actions
  const marks = marksText(dish)
  const hasDescription = (dish.description ?? '') !== '' || translationOf(dish, beside, 'description') !== ''
  const translate = (field: 'name' | 'description') => (
    <TranslatedText
      label={field === 'name' ? text.dishName : text.description}
      language={beside}
      original={dish[field] ?? ''}
      value={translationOf(dish, beside, field)}
      hasLines={field === 'description'}
      className={field === 'name' ? translatedNameClass : translatedDescriptionClass}
      onChange={(translated) => {
        const { translations } = withTranslation(dish, beside, { field, text: translated })
        change({ translations })
      }}
    />
  )
  const cell = (field: DishField, label: string) => ({
    'data-field': field,
    'aria-label': label,
    'aria-invalid': problems.some((one) => one.field === field),
    'aria-describedby': problems.some((one) => one.field === field) ? problemsId : undefined,
    placeholder: label,
    autoComplete: 'off',
    onKeyDown,
    onBlur: () => form.onLeave(joinPath(path, field)),
  })
  const drop = (event: DragEvent) => {
    setIsOver(false)
    if (actions.dragged === undefined) return
    event.preventDefault()
    event.stopPropagation()
    actions.onMove(actions.dragged, place)
    actions.onDrag(undefined)
  }
  return (
    <fieldset
      data-dish={`${section}.${at}`}
      className={`min-w-0 border-t-2 ${isOver ? 'border-brand' : 'border-transparent'}`}
      onDragOver={(event) => {
        if (actions.dragged === undefined) return
        event.preventDefault()
        setIsOver(actions.dragged.at >= 0)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <legend className="sr-only">{title}</legend>
      <div className="grid grid-cols-[minmax(0,1fr)_5.5rem_2.5rem] items-center gap-1.5 @lg:grid-cols-[1.25rem_minmax(0,2fr)_minmax(0,3fr)_5.5rem_2.5rem]">
        <span
          draggable
          aria-hidden
          title={text.drag(title)}
          data-drag={`${section}.${at}`}
          onDragStart={(event) => {
            event.dataTransfer.effectAllowed = 'move'
            event.dataTransfer.setData('text/plain', dish.name)
            actions.onDrag(place)
          }}
          onDragEnd={() => actions.onDrag(undefined)}
          className="hidden cursor-grab justify-center text-soft @lg:flex"
        >
          <GripVertical size={16} />
        </span>
        <textarea
          {...cell('name', text.dishName)}
          aria-required
          // A long name wraps. It has no lines of its own.
          rows={1}
          onPaste={onPaste}
          value={dish.name}
          onChange={(event) => change({ name: event.target.value.replaceAll(/[\n\r]+/g, ' ') })}
          className={`${inputClass} field-sizing-content col-span-2 resize-none @lg:col-span-1`}
        />
        <textarea
          {...cell('description', text.description)}
          rows={1}
          value={dish.description ?? ''}
          onChange={(event) =>
            change({ description: event.target.value === '' ? undefined : event.target.value })
          }
          className={`${inputClass} field-sizing-content max-h-40 resize-none order-3 text-sm @lg:order-none`}
        />
        <Price
          {...cell('price', text.price)}
          value={dish.price}
          currency={dish.currency ?? ''}
          onNumber={(price) => change({ price })}
        />
        <div className="order-1 @lg:order-none">
          <RowMenu
            name={title}
            onUp={move('up')}
            onDown={move('down')}
            onMarks={() => setAsksMarks(true)}
            onDuplicate={() =>
              actions.onSections(
                changeItems(sections, section, (items) => items.toSpliced(at + 1, 0, dish)),
                { section, at: at + 1 },
              )
            }
            onRemove={() => actions.onRemoveDish(place)}
          />
        </div>
        {beside !== '' && translate('name')}
        {beside !== '' && hasDescription && translate('description')}
      </div>
      {marks !== '' && (
        <button
          type="button"
          aria-label={`${text.marks}${commonWords.colon} ${marks}`}
          onClick={() => setAsksMarks(true)}
          className="mt-0.5 min-h-8 cursor-pointer rounded-control px-1 text-start text-sm text-soft hover:text-ink @lg:ms-6.5"
        >
          {marks}
        </button>
      )}
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

type PriceProps = React.InputHTMLAttributes<HTMLInputElement> & {
  value: number | string | undefined
  currency: string
  onNumber: (value: number | string | undefined) => void
}

/** Edits a price with a decimal point or comma. Other text stays as typed, and is a problem. */
function Price({ value, currency, onNumber, onBlur, ...props }: PriceProps) {
  /** The text that is being typed. Undefined: the price shows as the page writes it. */
  const [typed, setTyped] = useState<string>()
  const written = typed !== undefined && numberOf(typed) === value ? typed : shownPrice(value, currency)
  return (
    <input
      {...props}
      inputMode="decimal"
      value={written}
      onChange={(event) => {
        setTyped(event.target.value)
        onNumber(numberOf(event.target.value))
      }}
      onBlur={(event) => {
        setTyped(undefined)
        onBlur?.(event)
      }}
      className={`${inputClass} order-4 col-span-2 text-end tabular-nums @lg:order-none @lg:col-span-1`}
    />
  )
}

/** Focuses the same field of the next dish. */
function focusNext(input: HTMLElement, field: string): void {
  const next = input.closest('[data-dish]')?.nextElementSibling
  next?.querySelector<HTMLElement>(`[data-field="${field}"]`)?.focus()
}
