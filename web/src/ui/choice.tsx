import { inputClass, Labelled } from './field.tsx'

type Props<T extends string> = {
  label: string
  value: T
  options: readonly (readonly [value: T, label: string])[]
  onChoose: (value: T) => void
  disabled?: boolean
  className?: string
}

/** Offers a few options in the browser's own list. The label is for screen readers only. */
export function Choice<T extends string>({ label, className = '', ...rest }: Props<T>) {
  return (
    <Select
      {...rest}
      attributes={{
        'aria-label': label,
        className: `${inputClass} cursor-pointer pe-8 disabled:cursor-default disabled:opacity-60 ${className}`,
      }}
    />
  )
}

/** Shows a `Choice` with its label above it. */
export function ChoiceField<T extends string>({
  label,
  hint,
  problem,
  className,
  ...rest
}: Props<T> & { hint?: string | undefined; problem?: string | undefined }) {
  return (
    <Labelled label={label} hint={hint} problem={problem} className={className}>
      {({ className: look, ...described }) => (
        <Select
          {...rest}
          attributes={{
            ...described,
            className: `${look} cursor-pointer pe-8 disabled:cursor-default disabled:opacity-60`,
          }}
        />
      )}
    </Labelled>
  )
}

function Select<T extends string>({
  value,
  disabled = false,
  options,
  onChoose,
  attributes,
}: Omit<Props<T>, 'label' | 'className'> & {
  attributes: React.SelectHTMLAttributes<HTMLSelectElement>
}) {
  return (
    <select
      {...attributes}
      value={value}
      disabled={disabled}
      onChange={(event) => {
        const chosen = options.find(([one]) => one === event.target.value)
        if (chosen !== undefined) onChoose(chosen[0])
      }}
    >
      {options.map(([one, name]) => (
        <option key={one} value={one}>
          {name}
        </option>
      ))}
    </select>
  )
}
