import type { Domain } from '@everscan/client/create-client.ts'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { CodeNotice } from '../session/domain-notice.tsx'
import { CodeHead } from '../codes/code-head.tsx'
import { CodeEditor } from './code-editor.tsx'
import { useTitle } from '../ui/narrow-page.tsx'
import { EmptyState, Failure } from '../ui/surfaces.tsx'
import { draftOf, newDraft, type Draft } from './code-drafts.ts'
import { codeQuery, type ReadCode } from '../codes/codes.ts'
import { keptPatternQuery, savedStylesQuery, shortUrlPrefixQuery } from './editor-queries.ts'
import { UnfinishedCode } from './unfinished-code.tsx'
import { useKeptCode } from './unfinished-codes.ts'
import { domainsQuery, isProved } from '../session/domains.ts'
import { useMay } from '../session/roles.ts'
import { codesWords } from '../words/codes-words.ts'
import { commonWords } from '../words/common-words.ts'
import { editorWords } from '../words/editor-words.ts'

const text = editorWords
const newRoute = getRouteApi('/$orgId/codes/new')
const codeRoute = getRouteApi('/$orgId/codes/$codeId')

/** Shows the form of a new code. */
export function NewCodePage() {
  useTitle(text.newTitle)
  const { orgId } = newRoute.useParams()
  const mayEdit = useMay(orgId, 'EDITOR')
  if (!mayEdit) return <EmptyState title={text.newTitle} text={text.viewOnly} />
  // The key gives another organization its own form.
  return <NewCode key={orgId} orgId={orgId} />
}

function NewCode({ orgId }: { orgId: string }) {
  const { type = 'URL' } = newRoute.useSearch()
  const styles = useQuery(savedStylesQuery(orgId))
  const prefix = useQuery(shortUrlPrefixQuery(orgId))
  const domains = useQuery(domainsQuery(orgId))
  const [unfinished, setUnfinished] = useState(useKeptCode(orgId))
  const [resumed, setResumed] = useState<Draft>()
  const navigate = useNavigate()
  // A later failure must not replace a form in use.
  const failed = [styles, prefix, domains].find(({ isError, data }) => isError && data === undefined)
  if (failed !== undefined) return <Failure error={failed.error} onRetry={() => void failed.refetch()} />
  return (
    <>
      <h1 className="mb-5 text-2xl font-semibold">{text.newTitle}</h1>
      {unfinished !== undefined ? (
        <UnfinishedCode
          kept={unfinished}
          onResume={() => {
            setResumed(unfinished.draft)
            setUnfinished(undefined)
            void navigate({ to: '.', search: { type: unfinished.draft.type }, replace: true })
          }}
          onStartNew={() => {
            unfinished.drop()
            setUnfinished(undefined)
          }}
        />
      ) : styles.data === undefined || prefix.data === undefined || domains.data === undefined ? (
        <Skeleton />
      ) : (
        <CodeEditor
          orgId={orgId}
          mayEdit
          resumed={resumed && withDomainOf(resumed, domains.data)}
          start={newDraft(
            type,
            styles.data.find(({ isDefault }) => isDefault)?.style ?? {},
            defaultDomain(domains.data),
          )}
          saved={styles.data}
          domains={domains.data.filter(isProved)}
          shortUrlPrefix={prefix.data}
        />
      )}
    </>
  )
}

/** Returns the domain that new codes are on. */
function defaultDomain(domains: readonly Domain[]): string | null {
  return domains.find((domain) => domain.isDefault && isProved(domain))?.id ?? null
}

/** The domain of an unfinished code may have been deleted since. */
function withDomainOf(draft: Draft, domains: readonly Domain[]): Draft {
  const isThere = domains.some((domain) => domain.id === draft.domainId && isProved(domain))
  return isThere || draft.domainId === null ? draft : { ...draft, domainId: defaultDomain(domains) }
}

/** Shows the page of one code. */
export function CodePage() {
  const { orgId, codeId } = codeRoute.useParams()
  const { created = false } = codeRoute.useSearch()
  const read = useQuery(codeQuery(orgId, codeId))
  useTitle(read.data?.code.name ?? codesWords.title)
  if (read.data !== undefined)
    // The key gives another code its own form.
    return <SavedCode key={codeId} orgId={orgId} read={read.data} isFresh={created} />
  return read.isError ? <Failure error={read.error} onRetry={() => void read.refetch()} /> : <Skeleton />
}

function SavedCode({ orgId, read, isFresh }: { orgId: string; read: ReadCode; isFresh: boolean }) {
  const mayEdit = useMay(orgId, 'EDITOR')
  const styles = useQuery(savedStylesQuery(orgId))
  // Without the kept pattern, the preview differs only in its pattern, until the code is saved.
  const kept = useQuery(keptPatternQuery(orgId, read.code))
  return (
    <>
      <CodeHead orgId={orgId} code={read.code} />
      <CodeNotice orgId={orgId} domainId={read.code.domainId} />
      {!mayEdit && <p className="mb-5 text-soft">{text.viewOnly}</p>}
      {kept.isPending ? (
        <Skeleton />
      ) : (
        <CodeEditor
          orgId={orgId}
          mayEdit={mayEdit}
          read={read}
          start={draftOf(read.code)}
          saved={styles.data ?? []}
          kept={kept.data ?? undefined}
          isFresh={isFresh}
        />
      )}
    </>
  )
}

/** Has the layout of the loaded page. */
function Skeleton() {
  return (
    <div
      role="status"
      aria-label={commonWords.loading}
      className="grid animate-pulse items-start gap-5 lg:grid-cols-[minmax(0,1fr)_21rem]"
    >
      <div className="grid gap-5">
        <div className="h-72 rounded-card border border-line bg-surface" />
        <div className="h-96 rounded-card border border-line bg-surface" />
      </div>
      <div className="h-120 rounded-card border border-line bg-surface" />
    </div>
  )
}
