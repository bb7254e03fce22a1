import { useState, type ClipboardEvent, type KeyboardEvent } from 'react'
import { menuWords } from '../../words/menu-words.ts'
import { inputClass } from '../../ui/field.tsx'
import { numberOf } from '../typed-numbers.ts'
import type { Dish } from './menu-list.ts'
import { shownPrice } from './menu-prices.ts'

const text = menuWords

export const dishFields = ['name', 'description', 'price'] as const
export type DishField = (typeof dishFields)[number]

/** The keys and the problem of a field. */
type Cell = {
  'aria-invalid': boolean
  'aria-describedby': string | undefined
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
  onBlur: () => void
}

type Props = {
  dish: Dish
  cellOf: (field: DishField) => Cell
  /** Takes lines of a list. */
  onPaste: (pasted: string) => void
  onChange: (changed: Partial<Dish>) => void
}

/** Edits the name, the description and the price of a dish. */
export function DishInputs({ dish, cellOf, onPaste, onChange }: Props) {
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const pasted = event.clipboardData.getData('text/plain').trim()
    if (!/[\n\r]/.test(pasted)) return
    event.preventDefault()
    onPaste(pasted)
  }
  const cell = (field: DishField, label: string) => ({
    ...cellOf(field),
    'data-field': field,
    'aria-label': label,
    placeholder: label,
    autoComplete: 'off',
  })
  return (
    <>
      <textarea
        {...cell('name', text.dishName)}
        aria-required
        // A long name wraps. It has no lines of its own.
        rows={1}
        onPaste={paste}
        value={dish.name}
        onChange={(event) => onChange({ name: event.target.value.replaceAll(/[\n\r]+/g, ' ') })}
        className={`${inputClass} field-sizing-content col-span-2 resize-none @lg:col-span-1`}
      />
      <textarea
        {...cell('description', text.description)}
        rows={1}
        value={dish.description ?? ''}
        onChange={(event) =>
          onChange({ description: event.target.value === '' ? undefined : event.target.value })
        }
        className={`${inputClass} field-sizing-content max-h-40 resize-none order-3 text-sm @lg:order-none`}
      />
      <Price
        {...cell('price', text.price)}
        value={dish.price}
        currency={dish.currency ?? ''}
        onNumber={(price) => onChange({ price })}
      />
    </>
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
