import type { UpdateView, View, ViewQuery } from '@everscan/client/create-client.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { copyText } from '../ui/clipboard.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx'
import { Field, inputClass } from '../ui/field.tsx'
import { fieldProblem } from '../ui/problems.ts'
import { FormProblem, Notice } from '../ui/surfaces.tsx'
import { commonWords } from '../words/common-words.ts'
import { viewsWords } from '../words/views-words.ts'
import { createView, updateView } from './views.ts'

const text = viewsWords.sharing

type Props = {
  orgId: string
  /** Undefined for figures that are not saved yet; `draft` has them. */
  view: View | undefined
  draft?: { name: string; query: ViewQuery }
  onClose: () => void
}

/** Shares figures by a public link, and shows the link of those that are shared. */
export function ShareDialog({ orgId, view, draft, onClose }: Props) {
  const [shared, setShared] = useState(view)
  const [isCopied, setCopied] = useState(false)
  if (shared?.public != null)
    return (
      <LinkDialog orgId={orgId} view={shared} isCopied={isCopied} onChange={setShared} onClose={onClose} />
    )
  return (
    <NewLinkDialog
      orgId={orgId}
      view={shared}
      draft={draft}
      onShared={(made, copied) => {
        setShared(made)
        setCopied(copied)
      }}
      onClose={onClose}
    />
  )
}

type NewProps = Omit<Props, 'draft'> & {
  draft: Props['draft'] | undefined
  onShared: (view: View, isCopied: boolean) => void
}

function NewLinkDialog({ orgId, view, draft, onShared, onClose }: NewProps) {
  const [name, setName] = useState(draft?.name ?? '')
  const [password, setPassword] = useState('')
  const [expiresAt, setExpiresAt] = useState('')
  const share = useMutation({
    mutationFn: async () => {
      const link = { ...(password !== '' && { password }), ...(expiresAt !== '' && { expiresAt }) }
      const made =
        view === undefined
          ? await createView(orgId, { name, query: draft?.query ?? {}, public: link })
          : await updateView(orgId, view.id, { public: link })
      return { made, isCopied: await tryToCopy(made) }
    },
    onSuccess: ({ made, isCopied }) => onShared(made, isCopied),
  })
  return (
    <Dialog title={text.title} text={text.text} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          share.mutate()
        }}
      >
        <FormProblem error={share.error} fields={['name', 'public.password', 'public.expiresAt']} />
        {view === undefined && (
          <Field
            label={commonWords.name}
            required
            autoComplete="off"
            maxLength={limits.nameCharsMax}
            value={name}
            problem={fieldProblem(share.error, 'name')}
            onChange={(event) => setName(event.target.value)}
          />
        )}
        <PasswordField
          label={text.password}
          hint={text.passwordHint}
          value={password}
          problem={fieldProblem(share.error, 'public.password')}
          onType={setPassword}
        />
        <ExpiryField
          value={expiresAt}
          problem={fieldProblem(share.error, 'public.expiresAt')}
          onType={setExpiresAt}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{commonWords.cancel}</Button>
          <Button type="submit" look="primary" busy={share.isPending} autoFocus data-autofocus>
            {text.create}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type LinkProps = {
  orgId: string
  view: View
  /** Whether the link was just copied. */
  isCopied: boolean
  onChange: (view: View) => void
  onClose: () => void
}

function LinkDialog({ orgId, view, isCopied, onChange, onClose }: LinkProps) {
  const link = view.public
  const endsOn = dayOf(link?.expiresAt ?? null)
  const [password, setPassword] = useState('')
  const [expiresAt, setExpiresAt] = useState(endsOn)
  const [asking, setAsking] = useState<LinkQuestion>()
  const change = useMutation({
    mutationFn: async (changes: NonNullable<UpdateView['public']> | null) =>
      updateView(orgId, view.id, { public: changes }),
    onSuccess: (changed) => {
      setPassword('')
      onChange(changed)
    },
  })
  if (asking !== undefined)
    return (
      <ConfirmDialog
        {...(asking === 'new' ? text.newLinkAsk : text.stopAsk)}
        onConfirm={async () => change.mutateAsync(asking === 'new' ? { newLink: true } : null)}
        onClose={() => setAsking(undefined)}
      />
    )
  return (
    <Dialog title={view.name} text={text.text} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate({
            ...(password !== '' && { password }),
            ...(expiresAt !== endsOn && { expiresAt: expiresAt === '' ? null : expiresAt }),
          })
        }}
      >
        <FormProblem error={change.error} fields={['public.password', 'public.expiresAt']} />
        {isCopied && !change.isSuccess && <Notice kind="good">{text.copied}</Notice>}
        {change.isSuccess && <Notice kind="good">{text.changed}</Notice>}
        <LinkField url={link?.url ?? undefined} />
        <LinkPassword
          hasPassword={link?.hasPassword === true}
          value={password}
          problem={fieldProblem(change.error, 'public.password')}
          onType={setPassword}
          onRemove={() => change.mutate({ password: null })}
        />
        <ExpiryField
          value={expiresAt}
          problem={fieldProblem(change.error, 'public.expiresAt')}
          onType={setExpiresAt}
        />
        <LinkButtons busy={change.isPending} onAsk={setAsking} />
      </form>
    </Dialog>
  )
}

type LinkQuestion = 'new' | 'stop'

function LinkButtons({ busy, onAsk }: { busy: boolean; onAsk: (question: LinkQuestion) => void }) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button look="danger" onClick={() => onAsk('stop')}>
        {text.stop}
      </Button>
      <Button onClick={() => onAsk('new')}>{text.newLink}</Button>
      <Button type="submit" busy={busy}>
        {text.change}
      </Button>
    </div>
  )
}

/** Shows the address of a link. Undefined if the service does not know it any more. */
function LinkField({ url }: { url: string | undefined }) {
  if (url === undefined) return <p className="text-soft">{text.lost}</p>
  return (
    <div className="grid gap-2 sm:flex">
      <input readOnly aria-label={text.link} value={url} className={`${inputClass} font-mono text-sm`} />
      <CopyButton look="primary" text={url} label={text.copy} withLabel />
    </div>
  )
}

type LinkPasswordProps = FieldProps & { hasPassword: boolean; onRemove: () => void }

/** Sets, changes or removes the password of a link. */
function LinkPassword({ hasPassword, onRemove, ...field }: LinkPasswordProps) {
  return (
    <>
      <PasswordField
        {...field}
        label={hasPassword ? text.newPassword : text.password}
        hint={hasPassword ? text.keepPassword : text.passwordHint}
      />
      {hasPassword && (
        <Button look="quiet" className="justify-self-start" onClick={onRemove}>
          {text.removePassword}
        </Button>
      )}
    </>
  )
}

type FieldProps = { value: string; problem: string | undefined; onType: (typed: string) => void }

function PasswordField({
  label,
  hint,
  value,
  problem,
  onType,
}: FieldProps & { label: string; hint: string }) {
  return (
    <Field
      label={label}
      hint={hint}
      type="text"
      autoComplete="off"
      minLength={limits.sharePasswordCharsMin}
      maxLength={limits.passwordCharsMax}
      value={value}
      problem={problem}
      onChange={(event) => onType(event.target.value)}
    />
  )
}

function ExpiryField({ value, problem, onType }: FieldProps) {
  return (
    <Field
      label={text.expires}
      hint={text.expiresHint}
      type="date"
      value={value}
      problem={problem}
      onChange={(event) => onType(event.target.value)}
    />
  )
}

/** Some browsers let a page copy only right after a press; the window has a button then. */
async function tryToCopy({ public: link }: View): Promise<boolean> {
  if (link?.url == null) return false
  try {
    await copyText(link.url)
    return true
  } catch {
    return false
  }
}

/** Returns the last day, in UTC, of a link that ends with a day. */
function dayOf(expiresAt: string | null): string {
  return expiresAt === null ? '' : new Date(Date.parse(expiresAt) - 1).toISOString().slice(0, 10)
}
