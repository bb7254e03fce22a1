import type { ReactNode } from 'react'
import { CopyButton } from './copy-button.tsx'

type Props = {
  title: string
  /** Reason to copy it now. */
  text: ReactNode
  value: string
  copyLabel: string
  children?: ReactNode
}

/** Shows a secret that is shown only once, with its purpose and a button that copies it. */
export function ShownOnce({ title, text, value, copyLabel, children }: Props) {
  return (
    <section role="status" className="rounded-card border-2 border-warning bg-surface p-4 sm:p-5">
      <h2 className="font-semibold">{title}</h2>
      <p className="mt-1 mb-3 text-soft">{text}</p>
      <div className="flex flex-wrap items-center gap-2">
        <code className="min-w-0 flex-1 basis-60 rounded-control bg-raised px-3 py-2 font-mono text-sm break-all select-all">
          {value}
        </code>
        <CopyButton text={value} label={copyLabel} look="primary" withLabel />
      </div>
      {children}
    </section>
  )
}
