import { useId } from 'react'
import { inputClass } from './field.tsx'

type Props<T extends string> = {
  label: string
  value: T
  options: readonly (readonly [value: T, label: string])[]
  onChoose: (value: T) => void
  /** In forms; elsewhere the label is read out only. */
  labelShown?: boolean
  disabled?: boolean
  className?: string
}

/** One of a few, by the browser's own list. */
export function Choice<T extends string>(props: Props<T>) {
  const { label, value, options, onChoose, labelShown = false, disabled = false, className = '' } = props
  const id = useId()
  const list = (
    <select
      id={id}
      {...(!labelShown && { 'aria-label': label })}
      value={value}
      disabled={disabled}
      onChange={(event) => {
        const chosen = options.find(([one]) => one === event.target.value)
        if (chosen !== undefined) onChoose(chosen[0])
      }}
      className={`${inputClass} cursor-pointer pe-8 disabled:cursor-default disabled:opacity-60 ${labelShown ? '' : className}`}
    >
      {options.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </select>
  )
  if (!labelShown) return list
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      {list}
    </div>
  )
}
