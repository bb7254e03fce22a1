import { useId, useState, type ReactNode } from 'react'

type Props<T extends string> = {
  legend: string
  value: T
  options: readonly (readonly [value: T, label: ReactNode])[]
  onChoose: (value: T) => void
  /** Layout of the options. Default: as many in a row as fit. */
  className?: string
  legendHidden?: boolean
}

/** Offers a few options that are all visible, as buttons of which one stays pressed. */
export function Options<T extends string>({
  legend,
  value,
  options,
  onChoose,
  className = 'flex flex-wrap gap-2',
  legendHidden = false,
}: Props<T>) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className={legendHidden ? 'sr-only' : 'mb-1 text-sm font-medium'}>{legend}</legend>
      <div className={className}>
        {options.map(([one, label]) => (
          <label
            key={one}
            className="relative flex min-h-10 cursor-pointer items-center gap-2 rounded-control border border-line bg-surface px-3 py-1.5 text-sm font-medium hover:bg-raised has-checked:border-brand has-checked:bg-raised has-checked:ring-1 has-checked:ring-brand has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand has-disabled:cursor-default"
          >
            <input
              type="radio"
              name={name}
              value={one}
              checked={one === value}
              onChange={() => onChoose(one)}
              className="sr-only"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** Folds parts that most users do not need behind their name. */
export function Folded({
  title,
  open: isOpenAtFirst = false,
  children,
}: {
  title: string
  open?: boolean
  children: ReactNode
}) {
  // The content may change while the user is in it, so only the user folds it again.
  const [open] = useState(isOpenAtFirst)
  return (
    <details open={open} className="group border-t border-line pt-1">
      <summary className="flex min-h-10 cursor-pointer list-none items-center gap-2 text-sm font-medium before:inline-block before:w-3 before:text-soft before:transition-transform before:content-['›'] group-open:before:rotate-90">
        {title}
      </summary>
      <div className="grid gap-4 pt-2 pb-3">{children}</div>
    </details>
  )
}
