import { inputClass } from './field.tsx'

type Props<T extends string> = {
  label: string
  value: T
  options: readonly (readonly [value: T, label: string])[]
  onChoose: (value: T) => void
  className?: string
}

/** One of a few, by the browser's own list. The label is read out and not shown. */
export function Choice<T extends string>({ label, value, options, onChoose, className = '' }: Props<T>) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => {
        const chosen = options.find(([one]) => one === event.target.value)
        if (chosen !== undefined) onChoose(chosen[0])
      }}
      className={`${inputClass} cursor-pointer pe-8 ${className}`}
    >
      {options.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </select>
  )
}
