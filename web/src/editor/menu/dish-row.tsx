import { joinPath } from '@everscan/contract/schema/paths.ts'
import { GripVertical } from 'lucide-react'
import { useId, useState, type ClipboardEvent, type DragEvent, type KeyboardEvent } from 'react'
import { menuWords } from '../../words/menu-words.ts'
import { inputClass } from '../../ui/field.tsx'
import type { FormPaths } from '../schema-fields.tsx'
import { numberOf, shownNumber } from '../typed-numbers.ts'
import type { Dish, MenuSection } from './menu-list.ts'
import type { MenuActions } from './menu-actions.ts'
import { RowMenu } from './row-menu.tsx'
import { changeItems, placeBeside, type DishPlace } from './menu-sections.ts'

const text = menuWords
const fields = ['name', 'description', 'price'] as const
type DishField = (typeof fields)[number]

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
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData('text/plain').trim()
    if (!/[\n\r]/.test(pasted)) return
    event.preventDefault()
    actions.onPaste(place, pasted)
  }
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
        setIsOver(true)
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
        <input
          {...cell('name', text.dishName)}
          aria-required
          onPaste={onPaste}
          value={dish.name}
          onChange={(event) => change({ name: event.target.value })}
          className={inputClass}
        />
        <textarea
          {...cell('description', text.description)}
          rows={1}
          value={dish.description ?? ''}
          onChange={(event) =>
            change({ description: event.target.value === '' ? undefined : event.target.value })
          }
          className={`${inputClass} field-sizing-content max-h-40 resize-none order-last col-span-full text-sm @lg:order-none @lg:col-span-1`}
        />
        <Price {...cell('price', text.price)} value={dish.price} onNumber={(price) => change({ price })} />
        <RowMenu
          name={title}
          onUp={move('up')}
          onDown={move('down')}
          onDuplicate={() =>
            actions.onSections(
              changeItems(sections, section, (items) => items.toSpliced(at + 1, 0, dish)),
              { section, at: at + 1 },
            )
          }
          onRemove={() => actions.onRemoveDish(place)}
        />
      </div>
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
  onNumber: (value: number | string | undefined) => void
}

/** Edits a price with a decimal point or comma. Other text stays as typed, and is a problem. */
function Price({ value, onNumber, ...props }: PriceProps) {
  const [typed, setTyped] = useState(() => shownNumber(value))
  const written = numberOf(typed) === value ? typed : shownNumber(value)
  return (
    <input
      {...props}
      inputMode="decimal"
      value={written}
      onChange={(event) => {
        setTyped(event.target.value)
        onNumber(numberOf(event.target.value))
      }}
      className={`${inputClass} text-end tabular-nums`}
    />
  )
}

/** Focuses the same field of the next dish. */
function focusNext(input: HTMLElement, field: string): void {
  const next = input.closest('[data-dish]')?.nextElementSibling
  next?.querySelector<HTMLElement>(`[data-field="${field}"]`)?.focus()
}
