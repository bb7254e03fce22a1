import { lazy, Suspense, useRef, useState, type ReactNode } from 'react'
import type { ReaderResult } from '@everscan/contract/resources/styles.ts'
import type { Draft } from './code-drafts.ts'
import { editorWords } from '../words/editor-words.ts'
import { Button } from '../ui/button.tsx'
import { Options } from '../ui/options.tsx'
import { Card } from '../ui/surfaces.tsx'
import { LivePicture, ReaderResults, ScanAdviceList, ScanLevel } from './live-picture.tsx'
import { useReach } from '../session/connection-bar.tsx'
import { loadPart } from '../session/reachability.ts'

const text = editorWords

/** Preview on a phone. The code that renders pages is loaded when the user first opens it. */
const PhonePreview = lazy(async () =>
  loadPart(async () => import('./phone-preview.tsx')).then((module) => ({ default: module.PhonePreview })),
)

/** Id of the form that the button submits. The form is elsewhere on the page. */
export const editorFormId = 'code-editor'

type Props = {
  orgId: string
  draft: Draft
  picture: string | null | undefined
  isSample: boolean
  isNew: boolean
  /** Results of the readers of the saved picture. Empty if the draft has another style. */
  readers: readonly ReaderResult[]
  /** Undefined: the user may not change anything here. */
  edit:
    | {
        isChanged: boolean
        isSaving: boolean
        onChange: (changes: Partial<Draft>) => void
        onDiscard: () => void
      }
    | undefined
  /** Result of the last attempt. */
  children: ReactNode
}

/**
 * Previews the draft as a picture or on a phone, and shows the button that saves. On a phone, the
 * button is within reach of the thumb.
 */
export function SaveCard({ orgId, draft, picture, isSample, isNew, readers, edit, children }: Props) {
  const [shown, setShown] = useState<'code' | 'phone'>('code')
  const top = useRef<HTMLDivElement>(null)
  const { style } = draft
  return (
    <div
      ref={top}
      className="scroll-mt-[calc(var(--head)+1.25rem)] lg:sticky lg:top-[calc(var(--head)+1.25rem)] lg:max-h-[calc(100dvh-var(--head)-2rem)] lg:overflow-y-auto"
    >
      <Card>
        <div className="grid gap-3">
          <Options
            legend={text.preview.legend}
            legendHidden
            className="grid grid-cols-2 gap-2 text-center *:justify-center"
            value={shown}
            options={[
              ['code', text.preview.code],
              ['phone', text.preview.phone],
            ]}
            onChoose={setShown}
          />
          {shown === 'phone' ? (
            <Suspense fallback={<div className="h-112 animate-pulse rounded-[2rem] bg-raised" />}>
              <PhonePreview orgId={orgId} draft={draft} />
            </Suspense>
          ) : (
            <>
              <LivePicture address={picture} isSample={isSample} isTransparent={style.transparent === true} />
              <ScanLevel style={style} />
              <ScanAdviceList
                style={style}
                onChange={edit && ((changed) => edit.onChange({ style: changed }))}
              />
              <ReaderResults readers={readers} />
            </>
          )}
          {edit !== undefined && (
            <SaveBar
              isNew={isNew}
              picture={picture}
              {...edit}
              onShow={() => top.current?.scrollIntoView({ block: 'start' })}
            >
              {children}
            </SaveBar>
          )}
        </div>
      </Card>
    </div>
  )
}

type BarProps = NonNullable<Props['edit']> &
  Pick<Props, 'isNew' | 'picture' | 'children'> & {
    /** Scrolls the preview into view. */
    onShow: () => void
  }

/** Shows the buttons. They never move under the pointer, because messages grow away from them. */
function SaveBar({ isNew, picture, isChanged, isSaving, onDiscard, onShow, children }: BarProps) {
  const reach = useReach()
  return (
    <div
      // With nothing to save, the room is for the page.
      className={`${isNew || isChanged ? 'flex' : 'hidden lg:flex'} fixed inset-x-0 bottom-[calc(3.5rem+1px+env(safe-area-inset-bottom))] z-20 flex-col-reverse gap-2 border-t border-line bg-surface px-3 py-2 md:bottom-0 lg:static lg:flex-col lg:border-0 lg:p-0`}
    >
      <div className="flex items-center gap-3 lg:flex-wrap lg:gap-2">
        {typeof picture === 'string' && (
          <button
            type="button"
            aria-label={text.preview.show}
            onClick={onShow}
            className="size-11 shrink-0 cursor-pointer rounded border border-line bg-white lg:hidden"
          >
            <img src={picture} alt="" className="size-full rounded object-contain" />
          </button>
        )}
        <p
          className={`min-w-0 flex-1 text-sm text-soft lg:flex-none lg:basis-full ${isNew ? '' : 'max-sm:sr-only'}`}
        >
          {isSaving && reach !== 'reached'
            ? text.waiting
            : isNew
              ? text.check.onSave
              : isChanged
                ? text.changed
                : text.noChanges}
        </p>
        {!isNew && isChanged && (
          <Button onClick={onDiscard} className="max-lg:ms-auto max-lg:px-2">
            {text.discard}
          </Button>
        )}
        <Button
          type="submit"
          form={editorFormId}
          look="primary"
          busy={isSaving}
          disabled={!isNew && !isChanged}
          className="lg:flex-1"
        >
          {isNew ? text.create : text.save}
        </Button>
      </div>
      <div className="max-h-72 overflow-auto empty:hidden">{children}</div>
    </div>
  )
}
