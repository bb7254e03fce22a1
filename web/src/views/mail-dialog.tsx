import { EverscanError, type View, type ViewQuery } from '@everscan/client/create-client.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { mailIntervals, type MailInterval, type RecipientState } from '@everscan/contract/views/views.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { signInOptionsQuery } from '../session/session.ts'
import { Badge, type BadgeTone } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ChoiceField } from '../ui/choice.tsx'
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { formatTime } from '../ui/format.ts'
import { fieldProblem } from '../ui/problems.ts'
import { FormProblem, Notice } from '../ui/surfaces.tsx'
import { commonWords } from '../words/common-words.ts'
import { sayProblem } from '../words/problems/say-problem.ts'
import { viewsWords } from '../words/views-words.ts'
import { createView, sendViewMail, updateView, viewsQuery } from './views.ts'

const text = viewsWords.mailing
const pollMs = 2_000

type Props = {
  orgId: string
  /** Undefined for figures that are not saved yet; `draft` has them. */
  view: View | undefined
  draft?: { name: string; query: ViewQuery }
  onClose: () => void
}

/** Sets up the mails of a view, sends one now, and shows how the last one went. */
export function MailDialog(props: Props) {
  const options = useQuery(signInOptionsQuery)
  if (options.data?.mails !== false) return <MailForm {...props} />
  return (
    <Dialog title={text.title} onClose={props.onClose}>
      <p>{text.off}</p>
    </Dialog>
  )
}

/** Mails as they are typed. The name is that of a view that is not saved yet. */
type Typed = { name: string; to: string; every: MailInterval }

function MailForm({ orgId, view: given, draft, onClose }: Props) {
  const [typed, setTyped] = useState<Typed>({
    name: draft?.name ?? '',
    to: given?.mail?.to.join('\n') ?? '',
    every: given?.mail?.every ?? 'week',
  })
  const [isStopping, setStopping] = useState(false)
  const { view, isNew, save, send } = useViewMails({ orgId, given, draft, typed })
  if (isStopping && view !== undefined)
    return (
      <ConfirmDialog
        {...text.stopAsk}
        onConfirm={async () => updateView(orgId, view.id, { mail: null })}
        onClose={onClose}
      />
    )
  const query = view?.query ?? draft?.query
  return (
    <Dialog title={view?.name ?? text.title} text={text.text} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          send.reset()
          save.mutate()
        }}
      >
        <FormProblem error={save.error ?? send.error} fields={['name', 'mail.to']} />
        {save.isSuccess && !send.isSuccess && <Notice kind="good">{text.saved}</Notice>}
        <MailFields
          {...{ typed, isNew }}
          timezone={query?.timezone ?? 'UTC'}
          error={save.error}
          onType={(changes) => setTyped({ ...typed, ...changes })}
        />
        {view?.mail != null && (
          <Status mail={view.mail} requestedAt={send.isSuccess ? send.submittedAt : undefined} />
        )}
        <div className="flex flex-wrap justify-end gap-2">
          {view?.mail != null && (
            <>
              <Button look="danger" onClick={() => setStopping(true)}>
                {text.stop}
              </Button>
              <Button busy={send.isPending} onClick={() => send.mutate(view.id)}>
                {text.now}
              </Button>
            </>
          )}
          <Button type="submit" look="primary" busy={save.isPending}>
            {text.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type MailsOptions = Pick<Props, 'orgId'> & {
  given: Props['view']
  draft: Props['draft'] | undefined
  typed: Typed
}

function useViewMails({ orgId, given, draft, typed }: MailsOptions) {
  const [id, setId] = useState(given?.id)
  // The worker sends mails: the list tells how that went.
  const views = useQuery({ ...viewsQuery(orgId), refetchInterval: id === undefined ? false : pollMs })
  const view = views.data?.find((one) => one.id === id) ?? given
  const save = useMutation({
    mutationFn: async () => {
      const mail = { to: addressesIn(typed.to), every: typed.every }
      return id === undefined
        ? createView(orgId, { name: typed.name, query: draft?.query ?? {}, mail })
        : updateView(orgId, id, { mail })
    },
    onSuccess: (saved) => setId(saved.id),
  })
  const send = useMutation({ mutationFn: async (of: string) => sendViewMail(orgId, of) })
  return { view, isNew: id === undefined, save, send }
}

type FieldsProps = {
  typed: Typed
  isNew: boolean
  timezone: string
  error: unknown
  onType: (changes: Partial<Typed>) => void
}

function MailFields({ typed, isNew, timezone, error, onType }: FieldsProps) {
  return (
    <>
      {isNew && (
        <Field
          label={commonWords.name}
          required
          autoComplete="off"
          maxLength={limits.nameCharsMax}
          value={typed.name}
          problem={fieldProblem(error, 'name')}
          onChange={(event) => onType({ name: event.target.value })}
        />
      )}
      <TextArea
        label={text.to}
        hint={text.toHint}
        required
        autoFocus
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        value={typed.to}
        problem={addressProblem(error)}
        onChange={(event) => onType({ to: event.target.value })}
      />
      <ChoiceField
        label={text.every}
        hint={text.zone(timezone)}
        value={typed.every}
        options={mailIntervals.map((one) => [one, text.intervals[one]] as const)}
        onChoose={(every) => onType({ every })}
      />
    </>
  )
}

type StatusProps = { mail: NonNullable<View['mail']>; requestedAt: number | undefined }

function Status({ mail, requestedAt }: StatusProps) {
  const { nextAt, lastSentAt, lastError, recipients } = mail
  // A mail to people who have to say yes first ends without being sent.
  const getsAny = recipients.some(({ state }) => state === 'MEMBER' || state === 'AGREED')
  const isWaiting =
    getsAny &&
    requestedAt !== undefined &&
    Date.parse(lastSentAt ?? '1970') < requestedAt &&
    lastError === null
  return (
    <div className="grid gap-1 text-sm text-soft">
      <p>{text.next(formatTime(nextAt))}</p>
      <p role="status">
        {isWaiting ? text.sending : lastSentAt === null ? text.never : text.last(formatTime(lastSentAt))}
      </p>
      {lastError !== null && <Notice kind="problem">{sayProblem({ ...mail, message: lastError })}</Notice>}
      <Recipients recipients={recipients} />
    </div>
  )
}

function Recipients({ recipients }: Pick<NonNullable<View['mail']>, 'recipients'>) {
  return (
    <section aria-label={text.recipients} className="mt-2">
      <h3 className="font-medium text-text">{text.recipients}</h3>
      <ul className="divide-y divide-line">
        {recipients.map(({ address, state }) => (
          <li key={address} className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 py-1.5">
            <bdi className="min-w-0 break-all">{address}</bdi>
            <Badge tone={tones[state]}>{text.states[state]}</Badge>
          </li>
        ))}
      </ul>
      {recipients.some(({ state }) => state === 'ASKED') && <p className="mt-1">{text.askAgain}</p>}
    </section>
  )
}

const tones: Readonly<Record<RecipientState, BadgeTone>> = {
  MEMBER: 'good',
  AGREED: 'good',
  NOT_ASKED: 'plain',
  ASKED: 'plain',
  REFUSED: 'problem',
}

/** People separate addresses by lines, commas or spaces. */
function addressesIn(typed: string): string[] {
  return typed.split(/[\s,;]+/).filter((address) => address !== '')
}

/** Returns the problems of the addresses, each with its number if it is that of one address. */
function addressProblem(error: unknown): string | undefined {
  if (!(error instanceof EverscanError)) return undefined
  const lines = error.details.flatMap((detail) => {
    const [, isOfMail, index] = /^(mail\.to)(?:\[(\d+)\])?$/.exec(detail.path) ?? []
    if (isOfMail === undefined) return []
    const said = sayProblem(detail)
    return [index === undefined ? said : `${Number(index) + 1}${commonWords.colon} ${said}`]
  })
  return lines.length === 0 ? undefined : lines.join('\n')
}
