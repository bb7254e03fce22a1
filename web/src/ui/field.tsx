import { useId, type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes } from 'react'

type LabelProps = {
  label: string
  hint?: ReactNode
  problem?: string | undefined
  className?: string | undefined
}

type Props = InputHTMLAttributes<HTMLInputElement> & LabelProps

export const inputClass =
  'w-full min-h-10 rounded-control border border-line bg-surface px-3 py-2 text-ink placeholder:text-soft aria-invalid:border-danger'

/** Props that connect an input with its label and the text below it for screen readers. */
type Described = {
  id: string
  'aria-invalid': boolean
  'aria-describedby': string | undefined
  className: string
}

/**
 * Shows a label above an input, and a hint or a problem below it. Screen readers read it with the
 * input.
 */
export function Labelled({
  label,
  hint,
  problem,
  className = '',
  children,
}: LabelProps & { children: (described: Described) => ReactNode }) {
  const id = useId()
  const below = problem ?? hint
  const described = {
    id,
    'aria-invalid': problem !== undefined,
    'aria-describedby': below === undefined ? undefined : `${id}-below`,
    className: inputClass,
  }
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      {children(described)}
      {below !== undefined && (
        <p
          id={`${id}-below`}
          className={`mt-1 text-sm whitespace-pre-line ${problem === undefined ? 'text-soft' : 'text-danger'}`}
        >
          {below}
        </p>
      )}
    </div>
  )
}

/** Shows an input of one line. */
export function Field({ label, hint, problem, className, ...props }: Props) {
  return (
    <Labelled label={label} hint={hint} problem={problem} className={className}>
      {(described) => <input {...props} {...described} />}
    </Labelled>
  )
}

/** Shows an input of several lines that grows with its text. */
export function TextArea({
  label,
  hint,
  problem,
  className,
  ...props
}: TextareaHTMLAttributes<HTMLTextAreaElement> & LabelProps) {
  return (
    <Labelled label={label} hint={hint} problem={problem} className={className}>
      {(described) => (
        <textarea
          rows={3}
          {...props}
          {...described}
          className={`${inputClass} field-sizing-content max-h-96`}
        />
      )}
    </Labelled>
  )
}
