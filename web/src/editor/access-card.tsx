import { PreconditionFailedError, type TypedQrCode } from '@everscan/client/create-client.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { keepCode } from '../codes/codes.ts'
import { api } from '../session/api.ts'
import { Button } from '../ui/button.tsx'
import { ChoiceField } from '../ui/choice.tsx'
import { Field } from '../ui/field.tsx'
import { fieldProblem, problemText, showProblem } from '../ui/problems.ts'
import { Card, Notice } from '../ui/surfaces.tsx'
import { showToast } from '../ui/toasts.ts'
import { useUnsaved } from '../ui/unsaved.ts'
import { accessWords } from '../words/access-words.ts'
import { AccessCount } from './access-count.tsx'
import {
  accessChanges,
  accessDraftOf,
  accessUndo,
  type AccessChanges,
  type AccessDraft,
} from './access-draft.ts'
import { AccessPassword } from './access-password.tsx'
import { StateBadge } from '../codes/state-badge.tsx'

const text = accessWords
const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
const fields = ['startsAt', 'endsAt', 'scanLimit', 'whenUnknown', 'password', 'closed.url', 'closed.message']

type Props = { orgId: string; code: TypedQrCode; mayEdit: boolean }

/**
 * Edits when a code is open, for how many, and for whom. It is saved by itself: who closes a code
 * in a hurry must not save half-written content with it.
 */
export function AccessCard({ orgId, code, mayEdit }: Props) {
  const before = accessDraftOf(code)
  const [edited, setEdited] = useState<Partial<AccessDraft>>({})
  const draft = { ...before, ...edited }
  const changes = accessChanges(before, draft)
  const isDirty = Object.keys(changes).length > 0
  useUnsaved(isDirty)
  const write = useMutation({
    mutationFn: async (access: AccessChanges) =>
      keepCode(orgId, await api.qrCodes.update(orgId, code.id, { access })),
  })
  const { error } = write
  const problem = (field: string) => fieldProblem(error, `access.${field}`)
  const change = (some: Partial<AccessDraft>) => {
    if (write.isError) write.reset()
    setEdited((last) => ({ ...last, ...some }))
  }
  const save = async () => {
    const stored = code.access
    await write.mutateAsync(changes)
    setEdited({})
    const undo = () =>
      void write
        .mutateAsync(accessUndo(stored))
        .then(() => showToast({ kind: 'good', text: text.undone }))
        .catch(showProblem)
    // A password cannot be brought back.
    showToast({ kind: 'good', text: text.saved, ...(!('password' in changes) && { undo }) })
  }
  const isShown = fields.some((field) => problem(field) !== undefined)
  return (
    <Card
      title={text.title}
      action={
        <span className="block py-2">
          <StateBadge code={code} />
        </span>
      }
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          // The failure is shown below.
          if (isDirty) save().catch(() => undefined)
        }}
      >
        <fieldset disabled={!mayEdit || write.isPending} className="grid min-w-0 gap-4">
          <p className="text-sm text-soft">{text.intro}</p>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field
              label={text.opens}
              type="datetime-local"
              value={draft.startsAt}
              problem={problem('startsAt')}
              onChange={(event) => change({ startsAt: event.target.value })}
            />
            <Field
              label={text.ends}
              type="datetime-local"
              value={draft.endsAt}
              problem={problem('endsAt')}
              onChange={(event) => change({ endsAt: event.target.value })}
            />
          </div>
          <p className="-mt-2 text-sm text-soft">{text.timesHint(zone)}</p>
          <div className="grid items-start gap-4 sm:grid-cols-2">
            <Field
              label={text.limit}
              hint={text.limitHint}
              type="number"
              inputMode="numeric"
              min={1}
              max={limits.scanLimitMax}
              step={1}
              value={draft.scanLimit}
              problem={problem('scanLimit')}
              onChange={(event) => change({ scanLimit: event.target.value })}
            />
            {code.access?.scanLimit !== undefined && (
              <AccessCount orgId={orgId} code={code} access={code.access} mayEdit={mayEdit} />
            )}
          </div>
          {draft.scanLimit !== '' && (
            <ChoiceField
              label={text.whenUnknown}
              value={draft.whenUnknown}
              options={[
                ['open', text.unknownAnswers.open],
                ['closed', text.unknownAnswers.closed],
              ]}
              onChoose={(whenUnknown) => change({ whenUnknown })}
            />
          )}
          <AccessPassword
            hasPassword={code.access?.hasPassword === true}
            draft={draft}
            problem={problem('password')}
            onChange={change}
          />
          <ClosedFields draft={draft} problem={problem} onChange={change} />
          {write.isError && !isShown && (
            <Notice kind="problem">
              {error instanceof PreconditionFailedError ? text.late : problemText(error)}
            </Notice>
          )}
          {mayEdit && (
            <div className="flex flex-wrap justify-end gap-2">
              {isDirty && <Button onClick={() => setEdited({})}>{text.discard}</Button>}
              <Button type="submit" look="primary" disabled={!isDirty}>
                {text.save}
              </Button>
            </div>
          )}
        </fieldset>
      </form>
    </Card>
  )
}

function ClosedFields({
  draft,
  problem,
  onChange,
}: {
  draft: AccessDraft
  problem: (field: string) => string | undefined
  onChange: (changes: Partial<AccessDraft>) => void
}) {
  return (
    <>
      <ChoiceField
        label={text.closed}
        value={draft.closing}
        options={[
          ['page', text.closings.page],
          ['message', text.closings.message],
          ['url', text.closings.url],
        ]}
        onChoose={(closing) => onChange({ closing })}
      />
      {draft.closing === 'message' && (
        <Field
          label={text.message}
          maxLength={limits.closedMessageCharsMax}
          value={draft.message}
          problem={problem('closed.message')}
          onChange={(event) => onChange({ message: event.target.value })}
        />
      )}
      {draft.closing === 'url' && (
        <Field
          label={text.url}
          hint={text.urlHint}
          type="url"
          inputMode="url"
          value={draft.url}
          problem={problem('closed.url')}
          onChange={(event) => onChange({ url: event.target.value })}
        />
      )}
    </>
  )
}
