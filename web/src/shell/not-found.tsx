import { Link } from '@tanstack/react-router'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/surfaces.tsx'
import { words } from '../words/words.ts'

export function NotFoundPage() {
  return (
    <EmptyState isPage title={words.notFound.title} text={words.notFound.text}>
      <Link to="/" className={buttonClass()}>
        {words.notFound.back}
      </Link>
    </EmptyState>
  )
}
