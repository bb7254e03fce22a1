import type { ReactNode } from 'react'

const tones = {
  plain: 'border-line text-soft',
  good: 'border-brand text-brand',
  warning: 'border-warning text-warning',
  problem: 'border-danger text-danger',
} as const

export type BadgeTone = keyof typeof tones

/** Shows a state in a word. */
export function Badge({ tone = 'plain', children }: { tone?: BadgeTone; children: ReactNode }) {
  return (
    <span
      className={`inline-block rounded-full border px-2 py-0.5 text-xs font-medium whitespace-nowrap ${tones[tone]}`}
    >
      {children}
    </span>
  )
}
