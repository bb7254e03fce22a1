import { EverscanError } from '@everscan/client/create-client.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Printer } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { LanguageChoice } from '../ui/language-choice.tsx'
import { NarrowPage, useTitle } from '../ui/narrow-page.tsx'
import { Failure, FormProblem } from '../ui/surfaces.tsx'
import { commonWords } from '../words/common-words.ts'
import { viewsWords } from '../words/views-words.ts'
import { reportOf, type Report } from './report-data.ts'
import { ReportView } from './report.tsx'
import { sharedViews } from './shared-client.ts'

const text = viewsWords.page

/** Shows the figures behind a public link, or asks for its password. */
export function SharedPage({ token }: { token: string }) {
  const read = useQuery({
    queryKey: ['shared-view', token],
    queryFn: async ({ signal }) => sharedViews.readShared(token, { signal }),
  })
  const problem = read.error instanceof EverscanError ? read.error : undefined
  if (problem?.code === 'PASSWORD_REQUIRED')
    return <PasswordPage token={token} onOpen={() => void read.refetch()} />
  if (problem?.status === 404) return <OverPage />
  if (read.isError)
    return (
      <main>
        <Failure error={read.error} onRetry={() => void read.refetch()} />
      </main>
    )
  if (read.data === undefined) return <Loading />
  return <ReportPage report={reportOf(read.data)} />
}

function ReportPage({ report }: { report: Report }) {
  useTitle(report.title)
  return (
    <main className="mx-auto max-w-5xl px-3 py-6 sm:px-5 sm:py-8 print:max-w-none print:p-0">
      <ReportView report={report} />
      <footer className="mt-6 flex flex-wrap items-center justify-between gap-3 text-sm text-soft print:hidden">
        <p>{viewsWords.report.made}</p>
        <div className="flex flex-wrap items-center gap-3">
          <LanguageChoice />
          <Button onClick={() => window.print()}>
            <Printer size={16} aria-hidden />
            {text.print}
          </Button>
        </div>
      </footer>
    </main>
  )
}

function Loading() {
  useTitle(text.title)
  return (
    <main className="mx-auto grid max-w-5xl gap-3 px-3 py-8 sm:px-5">
      <div role="status" aria-label={commonWords.loading} className="grid gap-3">
        {['h-16', 'h-24', 'h-72', 'h-64'].map((height) => (
          <div
            key={height}
            className={`${height} animate-pulse rounded-card border border-line bg-surface`}
          />
        ))}
      </div>
    </main>
  )
}

/** Says nothing about the view, not even whether there was one. */
function OverPage() {
  return (
    <NarrowPage title={text.over}>
      <p className="text-soft">{text.overText}</p>
    </NarrowPage>
  )
}

function PasswordPage({ token, onOpen }: { token: string; onOpen: () => void }) {
  const [password, setPassword] = useState('')
  const unlock = useMutation({
    mutationFn: async () => sharedViews.unlock(token, password),
    onSuccess: onOpen,
  })
  return (
    <NarrowPage title={text.locked}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          unlock.mutate()
        }}
      >
        <p className="text-soft">{text.lockedText}</p>
        <FormProblem error={unlock.error} fields={[]} />
        <Field
          label={text.password}
          type="password"
          required
          autoFocus
          autoComplete="off"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button type="submit" look="primary" busy={unlock.isPending}>
          {text.open}
        </Button>
      </form>
    </NarrowPage>
  )
}
