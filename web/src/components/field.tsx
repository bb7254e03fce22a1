import { useId, type InputHTMLAttributes, type ReactNode } from 'react'

type Props = InputHTMLAttributes<HTMLInputElement> & {
  label: string
  hint?: ReactNode
  problem?: string | undefined
}

export const inputClass =
  'w-full min-h-10 rounded-control border border-line bg-surface px-3 py-2 text-ink placeholder:text-soft aria-invalid:border-danger'

/** An input with its label, and what helps or is wrong below it, read out with it. */
export function Field({ label, hint, problem, className = '', ...props }: Props) {
  const id = useId()
  const below = problem ?? hint
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <input
        {...props}
        id={id}
        aria-invalid={problem !== undefined}
        aria-describedby={below === undefined ? undefined : `${id}-below`}
        className={inputClass}
      />
      {below !== undefined && (
        <p
          id={`${id}-below`}
          className={`mt-1 text-sm ${problem === undefined ? 'text-soft' : 'text-danger'}`}
        >
          {below}
        </p>
      )}
    </div>
  )
}
