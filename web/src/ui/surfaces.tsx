import type { ReactNode } from 'react'
import { formProblem, problemText } from './problems.ts'
import { commonWords } from '../words/common-words.ts'
import { Button } from './button.tsx'

type CardProps = {
  title?: string
  /** Shown at the end of the title's line. */
  action?: ReactNode
  className?: string
  children: ReactNode
}

export function Card({ title, action, className = '', children }: CardProps) {
  return (
    <section className={`min-w-0 rounded-card border border-line bg-surface p-5 sm:p-6 ${className}`}>
      {title !== undefined && (
        <div className="mb-4 flex items-start gap-3">
          <h2 className="flex-1 text-base font-semibold">{title}</h2>
          {/* Has the height of the title, so it moves nothing below. */}
          {action !== undefined && <div className="-my-2">{action}</div>}
        </div>
      )}
      {children}
    </section>
  )
}

/** Reports a failure or a success, to screen readers too. */
export function Notice({ kind, children }: { kind: 'problem' | 'good'; children: ReactNode }) {
  const look = kind === 'problem' ? 'border-danger text-danger' : 'border-brand text-brand'
  return (
    <p
      role={kind === 'problem' ? 'alert' : 'status'}
      className={`rounded-control border px-3 py-2 text-sm ${look}`}
    >
      {children}
    </p>
  )
}

/** Shows the failure of a form, unless its `fields` report every problem. */
export function FormProblem({ error, fields }: { error: unknown; fields: readonly string[] }) {
  const problem = formProblem(error, fields)
  return problem === undefined ? null : <Notice kind="problem">{problem}</Notice>
}

type EmptyStateProps = {
  title: string
  text: string
  /** Whether it is the whole page, so that its title is the heading of the page. */
  isPage?: boolean
  children?: ReactNode
}

/** Shows a message where there is no content yet. */
export function EmptyState({ title, text, isPage = false, children }: EmptyStateProps) {
  const Heading = isPage ? 'h1' : 'h2'
  return (
    <div className="mx-auto max-w-md px-4 py-16 text-center">
      <Heading className="text-lg font-semibold">{title}</Heading>
      <p className="mt-2 text-soft">{text}</p>
      {children !== undefined && <div className="mt-5 flex justify-center gap-2">{children}</div>}
    </div>
  )
}

export function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <EmptyState title={commonWords.failure.title} text={problemText(error)}>
      <Button onClick={onRetry}>{commonWords.tryAgain}</Button>
    </EmptyState>
  )
}
