import { inputClass } from './field.tsx'

type Props<T extends string> = {
  label: string
  value: T
  options: readonly (readonly [value: T, label: string])[]
  onChoose: (value: T) => void
  /** Shows the label above; otherwise it is only read out. */
  withLabel?: boolean
  className?: string
}

/** One of a few, by the browser's own list. */
export function Choice<T extends string>({
  label,
  value,
  options,
  onChoose,
  withLabel = false,
  className = '',
}: Props<T>) {
  const select = (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => {
        const chosen = options.find(([one]) => one === event.target.value)
        if (chosen !== undefined) onChoose(chosen[0])
      }}
      className={`${inputClass} cursor-pointer pe-8 ${withLabel ? '' : className}`}
    >
      {options.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </select>
  )
  if (!withLabel) return select
  return (
    <label className={`block text-sm font-medium ${className}`}>
      <span className="mb-1 block">{label}</span>
      {select}
    </label>
  )
}
