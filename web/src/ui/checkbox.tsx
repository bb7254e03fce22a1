import { Check, Minus } from 'lucide-react'
import { useEffect, useId, useRef, type InputHTMLAttributes } from 'react'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & {
  /** Read out; shown beside it only `withLabel`. */
  label: string
  withLabel?: boolean
  /** What helps, below the label. */
  hint?: string
  /** Some of what it stands for is chosen, and some is not. */
  partly?: boolean
}

/** A tick that a thumb can meet. */
export function Checkbox({
  label,
  withLabel = false,
  hint,
  partly = false,
  className = '',
  ...props
}: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current !== null) input.current.indeterminate = partly
  }, [partly])
  return (
    <label
      className={`relative flex min-h-10 cursor-pointer items-center gap-3 select-none has-disabled:cursor-default has-disabled:opacity-60 ${withLabel ? '' : 'min-w-10 justify-center'} ${className}`}
    >
      {/* Lies over all of it: a press anywhere is a press on it, with its Shift. */}
      <input
        {...props}
        ref={input}
        type="checkbox"
        aria-label={label}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className="peer absolute inset-0 cursor-[inherit] opacity-0"
      />
      <span className="flex size-4.5 shrink-0 items-center justify-center rounded-[0.3rem] border border-soft bg-surface text-on-brand outline-offset-2 outline-brand peer-checked:border-brand peer-checked:bg-brand peer-indeterminate:border-brand peer-indeterminate:bg-brand peer-focus-visible:outline-2">
        {partly ? (
          <Minus size={14} strokeWidth={3} aria-hidden />
        ) : (
          props.checked === true && <Check size={14} strokeWidth={3} aria-hidden />
        )}
      </span>
      {withLabel && (
        <span className="min-w-0 flex-1">
          {label}
          {hint !== undefined && (
            <span id={`${id}-hint`} className="block text-sm text-soft">
              {hint}
            </span>
          )}
        </span>
      )}
    </label>
  )
}
