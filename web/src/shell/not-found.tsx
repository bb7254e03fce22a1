import { Link } from '@tanstack/react-router'
import { buttonClass } from '../ui/button.tsx'
import { EmptyState } from '../ui/surfaces.tsx'
import { commonWords } from '../words/common-words.ts'

export function NotFoundPage() {
  return (
    <EmptyState isPage title={commonWords.notFound.title} text={commonWords.notFound.text}>
      <Link to="/" className={buttonClass()}>
        {commonWords.notFound.back}
      </Link>
    </EmptyState>
  )
}
