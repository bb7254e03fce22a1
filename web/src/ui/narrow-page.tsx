import { useEffect, type ReactNode } from 'react'
import { LanguageChoice } from './language-choice.tsx'
import { Logo } from './logo.tsx'
import { Card } from './surfaces.tsx'
import { commonWords } from '../words/common-words.ts'

/** Shows a page outside of any organization: one card in the middle. */
export function NarrowPage({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title)
  return (
    <main className="mx-auto flex min-h-dvh max-w-sm flex-col justify-center px-4 py-10">
      <div className="mb-6 flex justify-center text-lg">
        <Logo />
      </div>
      <Card>
        <h1 className="mb-5 text-xl font-semibold">{title}</h1>
        {children}
      </Card>
      <LanguageChoice className="mt-6 self-center" />
    </main>
  )
}

/** Sets the title of the window while a page is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${commonWords.product}`
  }, [title])
}
