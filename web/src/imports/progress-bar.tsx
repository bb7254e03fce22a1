import type { ReactNode } from 'react'

type Props = {
  label: string
  max: number
  value: number
  /** Says how far it is. */
  children: ReactNode
}

/** Shows how far an import or a move is. */
export function ProgressBar({ label, max, value, children }: Props) {
  return (
    <>
      <progress
        aria-label={label}
        max={Math.max(1, max)}
        value={value}
        className="h-2.5 w-full accent-brand"
      />
      <p role="status" className="mt-1 text-sm text-soft">
        {children}
      </p>
    </>
  )
}
