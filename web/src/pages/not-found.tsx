import { Link } from '@tanstack/react-router'
import { buttonClass } from '../components/button.tsx'
import { EmptyState } from '../components/surfaces.tsx'
import { words } from '../words.ts'

export function NotFoundPage() {
  return (
    <EmptyState title={words.notFound.title} text={words.notFound.text}>
      <Link to="/" className={buttonClass()}>
        {words.notFound.back}
      </Link>
    </EmptyState>
  )
}
