import { Check, Minus } from 'lucide-react'
import { useEffect, useId, useRef, type InputHTMLAttributes } from 'react'

type Props = Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & {
  /** For screen readers. Shown beside the checkbox only `withLabel`. */
  label: string
  withLabel?: boolean
  /** Help text below the label. */
  hint?: string
  /** Whether only some of the items that it stands for are chosen. */
  partly?: boolean
}

/** Shows a checkbox that is large enough for a thumb. */
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
      {/* Covers everything, so a press anywhere is a press on it, with its Shift key. */}
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
