import type { Domain } from '@everscan/client/create-client.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import type { SavedStyle } from '@everscan/contract/resources/saved-styles.ts'
import { mergeStyle } from '@everscan/contract/resources/styles.ts'
import { useBlocker, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { loadPart } from '../session/reachability.ts'
import { isSame, rulesToSend, type Draft } from './code-drafts.ts'
import type { ReadCode } from '../codes/codes.ts'
import { emptyData } from './content-schemas.ts'
import type { KeptPattern } from '../codes/live-pictures.ts'
import { prefixOnDomain } from './editor-queries.ts'
import { problemText } from '../ui/problems.ts'
import { showToast } from '../ui/toasts.ts'
import { hasGivenUp, useUnsaved } from '../ui/unsaved.ts'
import { useUnfinishedCode } from './unfinished-codes.ts'
import { useCodeEditor } from './use-code-editor.ts'
import { editorWords } from '../words/editor-words.ts'
import { Notice } from '../ui/surfaces.tsx'
import { AccessCard } from './access-card.tsx'
import { ContentCard, ContentFields } from './content-card.tsx'
import { DetailsCard } from './details-card.tsx'
import { ReadyCard } from './ready-card.tsx'
import { LeaveDialog, OvertakenDialog, RefusedStyle, suggestionOf } from './editor-dialogs.tsx'
import { HistoryCard } from './history-card.tsx'
import { useLivePicture } from './live-picture.tsx'
import { editorFormId, SaveCard } from './save-card.tsx'
import { StyleCard } from './style-card.tsx'
import { TypePicker } from './type-picker.tsx'

const text = editorWords

/** The rules of a code, which few codes have. */
const RulesCard = lazy(async () =>
  loadPart(async () => import('../rules/rules-card.tsx')).then((module) => ({ default: module.RulesCard })),
)
/** Stands for any generated short code: all have the same length. */
const sampleShortCode = '0000000'
const noReaders = [] as const

type Props = {
  orgId: string
  mayEdit: boolean
  /** Code as it was last read. Absent for a new one. */
  read?: ReadCode
  start: Draft
  /** Content of a new code that the user goes on with. */
  resumed?: Draft | undefined
  saved: readonly SavedStyle[]
  kept?: KeptPattern | undefined
  /** Beginning of a new code's short URL. */
  shortUrlPrefix?: string
  /** Domains that a new code can be on. */
  domains?: readonly Domain[]
  /** Whether the code was just created. */
  isFresh?: boolean
}

/** Shows the form of a new or existing code, with previews of the result. */
export function CodeEditor(props: Props) {
  const { orgId, mayEdit, read, start, resumed, saved, kept, domains = [], isFresh = false } = props
  const navigate = useNavigate()
  const code = read?.code
  const isNew = code === undefined
  const editor = useCodeEditor({
    orgId,
    ...(read && { read }),
    start,
    resumed,
    saved,
    domains,
    onSaved: (now) => {
      unfinished.forget()
      if (!isNew) return showToast({ kind: 'good', text: text.saved })
      const params = { orgId, codeId: now.id }
      void navigate({ to: '/$orgId/codes/$codeId', params, search: { created: true }, ignoreBlocker: true })
      return undefined
    },
  })
  const { draft, form, change } = editor
  useUnsaved(editor.isDirty)
  const unfinished = useUnfinishedCode({ orgId, draft, isUnfinished: isNew && editor.isDirty })
  const shortUrl = code?.shortUrl ?? `${prefixOf(props, draft)}${draft.shortCode || sampleShortCode}`
  const picture = useLivePicture({ shortUrl, style: draft.style, kept })
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => {
      if (!editor.isDirty || current.pathname === next.pathname) return false
      if (!unfinished.isKept()) return true
      showToast({ kind: 'good', text: text.unfinished.kept })
      return false
    },
    enableBeforeUnload: () => editor.isDirty && !unfinished.isKept() && !hasGivenUp(),
    withResolver: true,
  })
  const chooseType = useTypeChoice(draft, change)
  const save = (changes: Partial<Draft> = {}) => {
    if (!editor.save(changes)) requestAnimationFrame(focusProblem)
  }
  const isLocked = !mayEdit || (isNew && editor.isSaving)
  const suggestion = suggestionOf(editor.error)
  const toFix = editor.fieldProblems
  const notice =
    toFix > 0
      ? text.fixFirst(toFix)
      : editor.error === null || suggestion !== undefined || editor.isOvertaken
        ? undefined
        : problemText(editor.error)
  useEffect(() => {
    if (toFix > 0 && editor.error !== null) focusProblem()
  }, [toFix, editor.error])

  return (
    <>
      {code !== undefined && isFresh && (
        <div className="mb-5">
          <ReadyCard orgId={orgId} code={code} />
        </div>
      )}
      <div className="grid gap-5 max-lg:pb-16 lg:grid-rows-[auto_1fr] lg:grid-cols-[minmax(0,1fr)_21rem]">
        <form
          id={editorFormId}
          className="min-w-0"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            save()
          }}
        >
          <div className="grid min-w-0 gap-5">
            <fieldset disabled={isLocked} className="grid min-w-0 gap-5">
              {isNew && <TypePicker value={draft.type} onChoose={chooseType} />}
              <ContentCard draft={draft} form={form} onChange={(data) => change({ data })} />
            </fieldset>
            <Suspense
              fallback={<div className="h-48 animate-pulse rounded-card border border-line bg-surface" />}
            >
              <RulesCard
                orgId={orgId}
                codeId={code?.id}
                access={code?.access ?? null}
                isLocked={isLocked}
                type={draft.type}
                rules={draft.rules}
                passQuery={draft.passQuery}
                ownData={draft.data}
                emptyData={emptyData(draft.type)}
                form={form}
                sentRules={() => rulesToSend(draft)}
                renderContent={(content) => <ContentFields type={draft.type} form={form} {...content} />}
                onChange={change}
              />
            </Suspense>
            <fieldset disabled={isLocked} className="grid min-w-0 gap-5">
              {mayEdit && (
                <StyleCard
                  orgId={orgId}
                  style={draft.style}
                  saved={saved}
                  form={form}
                  onChange={(style) => change({ style })}
                />
              )}
              <DetailsCard
                orgId={orgId}
                draft={draft}
                isNew={isNew}
                domains={domains}
                form={form}
                onChange={change}
              />
            </fieldset>
          </div>
        </form>
        <div className="min-w-0 lg:row-span-2">
          <SaveCard
            orgId={orgId}
            draft={draft}
            picture={picture}
            isSample={isNew && draft.shortCode === ''}
            isNew={isNew}
            readers={
              code !== undefined && isSame(draft.style, code.style) ? code.scannability.readers : noReaders
            }
            edit={
              mayEdit
                ? {
                    isChanged: editor.isDirty,
                    isSaving: editor.isSaving,
                    onChange: change,
                    onDiscard: editor.discard,
                  }
                : undefined
            }
          >
            {suggestion !== undefined && (
              <RefusedStyle
                suggestion={suggestion}
                busy={editor.isSaving}
                onApply={() => save({ style: mergeStyle(draft.style, suggestion) })}
              />
            )}
            {notice !== undefined && <Notice kind="problem">{notice}</Notice>}
          </SaveCard>
        </div>
        {code !== undefined && (
          <div className="grid min-w-0 content-start gap-5">
            <AccessCard orgId={orgId} code={code} mayEdit={mayEdit} />
            <HistoryCard orgId={orgId} code={code} mayEdit={mayEdit} isChanged={editor.isDirty} />
          </div>
        )}
      </div>
      {code !== undefined && editor.isOvertaken && (
        <OvertakenDialog
          orgId={orgId}
          code={code}
          onTheirs={editor.loadTheirs}
          onMine={editor.saveMine}
          onClose={editor.forgetError}
        />
      )}
      {blocker.status === 'blocked' && <LeaveDialog onLeave={blocker.proceed} onStay={blocker.reset} />}
    </>
  )
}

/** Returns the beginning of a new code's short URL. */
function prefixOf({ shortUrlPrefix = '', domains = [] }: Props, { domainId }: Draft): string {
  const domain = domains.find(({ id }) => id === domainId)
  return domain === undefined ? shortUrlPrefix : prefixOnDomain(shortUrlPrefix, domain.hostname)
}

/**
 * Returns a function that changes the type of a draft. Content written for another type returns
 * when that type is chosen again.
 */
function useTypeChoice(draft: Draft, change: (changes: Partial<Draft>) => void) {
  const navigate = useNavigate()
  const written = useRef<Partial<Record<QrCodeType, Pick<Draft, 'data' | 'rules'>>>>({})
  return (type: QrCodeType) => {
    const { data, rules } = draft
    written.current[draft.type] = { data, rules }
    change({ type, ...(written.current[type] ?? { data: emptyData(type), rules: [] }) })
    void navigate({ to: '.', search: { type }, replace: true, resetScroll: false })
  }
}

/** Focuses the first invalid field and opens the sections that it is folded into. */
function focusProblem(): void {
  const field = document.querySelector<HTMLElement>('[aria-invalid=true]')
  for (let part = field?.closest('details'); part; part = part.parentElement?.closest('details'))
    part.open = true
  // Scrolls to the middle: the problem is below the field, and bars cover both ends of the page.
  field?.scrollIntoView({ block: 'center' })
  field?.focus({ preventScroll: true })
}
