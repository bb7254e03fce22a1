import { limits } from '@everscan/contract/schema/limits.ts'
import type { Style } from '@everscan/contract/resources/styles.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, queries } from '../session/api.ts'
import { fieldProblem, problemText } from '../ui/problems.ts'
import { showToast } from '../ui/toasts.ts'
import { commonWords } from '../words/common-words.ts'
import { editorWords } from '../words/editor-words.ts'
import { Dialog, FormButtons } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Notice } from '../ui/surfaces.tsx'

const text = editorWords.style

/** Saves a style for the other codes of the organization. */
export function SaveStyleDialog({
  orgId,
  style,
  onClose,
}: {
  orgId: string
  style: Style
  onClose: () => void
}) {
  const [name, setName] = useState('')
  const [isDefault, setDefault] = useState(false)
  const save = useMutation({
    mutationFn: async () => api.styles.create(orgId, { name: name.trim(), style, isDefault }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['styles', orgId] })
      showToast({ kind: 'good', text: text.savedAs(name.trim()) })
      onClose()
    },
  })
  return (
    <Dialog title={text.saveAsTitle} text={text.saveAsText} onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          // For React, the dialog is inside the form of the code.
          event.stopPropagation()
          save.mutate()
        }}
      >
        {save.isError && <Notice kind="problem">{problemText(save.error)}</Notice>}
        <Field
          label={text.saveAsName}
          required
          autoFocus
          autoComplete="off"
          maxLength={limits.nameCharsMax}
          value={name}
          problem={fieldProblem(save.error, 'name')}
          onChange={(event) => setName(event.target.value)}
        />
        <Checkbox
          withLabel
          label={text.saveAsDefault}
          checked={isDefault}
          onChange={({ target }) => setDefault(target.checked)}
        />
        <FormButtons action={commonWords.save} busy={save.isPending} onClose={onClose} />
      </form>
    </Dialog>
  )
}
