import { limits } from '@everscan/contract/schema/limits.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldProblem } from './problems.ts'
import { commonWords } from '../words/common-words.ts'
import { Dialog, FormButtons } from './dialog.tsx'
import { Field } from './field.tsx'
import { FormProblem } from './surfaces.tsx'

type Props = {
  title: string
  text?: string
  label?: string
  /** The field of the request that it is. Default: `name`. */
  field?: string
  /** Current name. Absent for something new. */
  name?: string
  action?: string
  onSave: (name: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for a name. */
export function NameDialog(props: Props) {
  const {
    title,
    text,
    label = commonWords.name,
    name = '',
    field = 'name',
    action = commonWords.save,
    onSave,
    onClose,
  } = props
  const [typed, setTyped] = useState(name)
  const save = useMutation({ mutationFn: async () => onSave(typed), onSuccess: onClose })
  return (
    <Dialog title={title} onClose={onClose} {...(text !== undefined && { text })}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <FormProblem error={save.error} fields={[field]} />
        <Field
          label={label}
          required
          autoFocus
          autoComplete="off"
          maxLength={limits.nameCharsMax}
          value={typed}
          problem={fieldProblem(save.error, field)}
          onChange={(event) => setTyped(event.target.value)}
        />
        <FormButtons action={action} busy={save.isPending} onClose={onClose} />
      </form>
    </Dialog>
  )
}
