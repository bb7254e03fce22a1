import type { ReactNode } from 'react'
import { BreakdownList, type BreakdownRow } from './breakdown-list.tsx'
import { Card } from '../ui/surfaces.tsx'

type Props = {
  title: string
  rows: readonly BreakdownRow[]
  className?: string
  /** Renders a row as a link to more about it, in place of its button. */
  linkOf?: ((row: BreakdownRow, children: ReactNode, className: string) => ReactNode) | undefined
}

/** Shows scans by one property in a card. */
export function BreakdownCard({ title, className = '', ...rest }: Props) {
  return (
    <Card title={title} className={className}>
      {/* Cards in a row are as high as a full one. Cards with links are in none of those rows. */}
      <BreakdownList
        {...rest}
        title={title}
        className={rest.linkOf === undefined ? 'sm:min-h-[17rem]' : ''}
      />
    </Card>
  )
}
