import type { Domain } from '@everscan/client/create-client.ts'
import { codeForms, type CodeForm } from '@everscan/contract/domains/code-forms.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState, type FormEvent, type ReactNode } from 'react'
import { refreshCodes } from '../codes/code-changes.ts'
import { api } from '../session/api.ts'
import { Button } from '../ui/button.tsx'
import { ChoiceField } from '../ui/choice.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { formatNumber } from '../ui/format.ts'
import { fieldProblem, problemText } from '../ui/problems.ts'
import { FormProblem, Notice } from '../ui/surfaces.tsx'
import { showToast } from '../ui/toasts.ts'
import { commonWords } from '../words/common-words.ts'
import { domainsWords } from '../words/domains-words.ts'
import { codesOnDomainQuery, refreshDomains } from '../session/domains.ts'

const text = domainsWords

type Props = { orgId: string; domain: Domain; onClose: () => void }

/** Asks for the host name of a new domain, and whether its codes come from elsewhere. */
export function AddDomainDialog({ orgId, onClose }: Omit<Props, 'domain'>) {
  const [hostname, setHostname] = useState('')
  const [codes, setCodes] = useState<CodeForm>('canonical')
  const add = useMutation({
    mutationFn: async () => api.domains.create(orgId, { hostname, codes }),
    onSuccess: async () => {
      await refreshDomains(orgId)
      onClose()
    },
  })
  return (
    <Dialog title={text.addTitle} text={text.addText} onClose={onClose}>
      <DialogForm
        action={text.addAction}
        isPending={add.isPending}
        onSubmit={() => add.mutate()}
        onClose={onClose}
      >
        <FormProblem error={add.error} fields={['hostname', 'codes']} />
        <Field
          label={text.hostname}
          hint={text.hostnameHint}
          required
          autoFocus
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          inputMode="url"
          value={hostname}
          problem={fieldProblem(add.error, 'hostname')}
          onChange={(event) => setHostname(event.target.value)}
        />
        <CodeFormField value={codes} problem={fieldProblem(add.error, 'codes')} onChoose={setCodes} />
      </DialogForm>
    </Dialog>
  )
}

/** Changes how short codes on a domain are compared, which works before the first one. */
export function DomainCodesDialog({ orgId, domain, onClose }: Props) {
  const { id, hostname } = domain
  const [codes, setCodes] = useState(domain.codes)
  const save = useMutation({
    mutationFn: async () => api.domains.update(orgId, id, { codes }),
    onSuccess: async () => {
      await refreshDomains(orgId)
      showToast({ kind: 'good', text: text.addressesSaved })
      onClose()
    },
  })
  return (
    <Dialog title={text.changeCodesTitle(hostname)} onClose={onClose}>
      <DialogForm
        action={commonWords.save}
        isPending={save.isPending}
        onSubmit={() => save.mutate()}
        onClose={onClose}
      >
        <FormProblem error={save.error} fields={['codes']} />
        <CodeFormField value={codes} problem={fieldProblem(save.error, 'codes')} onChoose={setCodes} />
      </DialogForm>
    </Dialog>
  )
}

type CodeFormProps = {
  value: CodeForm
  problem: string | undefined
  onChoose: (codes: CodeForm) => void
}

function CodeFormField({ value, problem, onChoose }: CodeFormProps) {
  return (
    <ChoiceField
      label={text.codes}
      hint={text.codesHint}
      problem={problem}
      value={value}
      options={codeForms.map((form) => [form, text.codeForms[form]] as const)}
      onChoose={onChoose}
    />
  )
}

const addressFields = ['rootUrl', 'notFoundUrl', 'goneUrl'] as const
type Addresses = Record<(typeof addressFields)[number], string>

/** Changes where a domain leads besides its codes. */
export function DomainAddressesDialog({ orgId, domain, onClose }: Props) {
  const { id, hostname } = domain
  const [written, setWritten] = useState<Addresses>({
    rootUrl: domain.rootUrl ?? '',
    notFoundUrl: domain.notFoundUrl ?? '',
    goneUrl: domain.goneUrl ?? '',
  })
  const save = useMutation({
    mutationFn: async () =>
      api.domains.update(orgId, id, {
        rootUrl: written.rootUrl.trim() || null,
        notFoundUrl: written.notFoundUrl.trim() || null,
        goneUrl: written.goneUrl.trim() || null,
      }),
    onSuccess: async () => {
      await refreshDomains(orgId)
      showToast({ kind: 'good', text: text.addressesSaved })
      onClose()
    },
  })
  const hints = {
    rootUrl: text.rootUrlHint(hostname),
    notFoundUrl: text.notFoundUrlHint,
    goneUrl: text.goneUrlHint,
  }
  return (
    <Dialog title={text.addressesTitle(hostname)} onClose={onClose}>
      <DialogForm
        action={commonWords.save}
        isPending={save.isPending}
        onSubmit={() => save.mutate()}
        onClose={onClose}
      >
        <FormProblem error={save.error} fields={addressFields} />
        {addressFields.map((field, at) => (
          <Field
            key={field}
            label={text[field]}
            hint={hints[field]}
            type="url"
            autoFocus={at === 0}
            autoComplete="off"
            placeholder="https://"
            value={written[field]}
            problem={fieldProblem(save.error, field)}
            onChange={(event) => setWritten({ ...written, [field]: event.target.value })}
          />
        ))}
      </DialogForm>
    </Dialog>
  )
}

/**
 * Asks before a domain is deleted, and says what happens to the prints. With active codes on it,
 * its name must be typed.
 */
export function DeleteDomainDialog({ orgId, domain, onClose }: Props) {
  const { id, hostname } = domain
  const [typed, setTyped] = useState('')
  const codes = useQuery({ ...codesOnDomainQuery(orgId, id), staleTime: 0 })
  const count = codes.data
  const hasCodes = count !== undefined && count > 0
  const remove = useMutation({
    mutationFn: async () => api.domains.delete(orgId, id, hasCodes ? { codes: 'archive' } : {}),
    onSuccess: async () => {
      await Promise.all([refreshDomains(orgId), refreshCodes()])
      showToast({ kind: 'good', text: text.deleted(hostname) })
      onClose()
    },
    // Codes may have come since they were counted.
    onError: () => void codes.refetch(),
  })
  const failure = remove.error ?? codes.error
  return (
    <Dialog title={text.deleteTitle(hostname)} onClose={onClose}>
      <DialogForm
        danger
        action={hasCodes ? text.deleteWithCodes : text.deleteAction}
        isPending={remove.isPending}
        isDisabled={count === undefined || (hasCodes && typed.trim().toLowerCase() !== hostname)}
        onSubmit={() => remove.mutate()}
        onClose={onClose}
      >
        {failure !== null && <Notice kind="problem">{problemText(failure)}</Notice>}
        <p role="status" className="font-medium">
          {count === undefined
            ? text.deleteCounting
            : count === 0
              ? text.deleteUnused
              : text.deleteCodes(count, formatNumber(count))}
        </p>
        {domain.status !== 'PENDING' && <p className="text-soft">{text.deletePrints}</p>}
        <p className="text-soft">{text.deleteProof}</p>
        {hasCodes && (
          <Field
            label={text.deleteType(hostname)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </DialogForm>
    </Dialog>
  )
}

type FormProps = {
  action: string
  isPending: boolean
  isDisabled?: boolean
  danger?: boolean
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** Shows the fields of a dialog, and its buttons below them. */
function DialogForm({ action, isPending, isDisabled = false, danger = false, ...props }: FormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    props.onSubmit()
  }
  return (
    <form className="grid gap-4" noValidate={danger} onSubmit={submit}>
      {props.children}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={props.onClose}>{commonWords.cancel}</Button>
        <Button type="submit" look={danger ? 'danger' : 'primary'} busy={isPending} disabled={isDisabled}>
          {action}
        </Button>
      </div>
    </form>
  )
}
