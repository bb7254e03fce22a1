import type { Webhook } from '@everscan/client/create-client.ts'
import { eventNames } from '@everscan/contract/resources/events.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { fieldProblem } from '../ui/problems.ts'
import { developersWords } from '../words/developers-words.ts'
import { Checkbox } from '../ui/checkbox.tsx'
import { Dialog, FormButtons } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { FormProblem, Notice } from '../ui/surfaces.tsx'

const text = developersWords
/**
 * Events to choose from. Tests are not offered: a webhook gets every test that is sent to it,
 * whatever events it takes.
 */
const choosable = eventNames.filter((name) => name !== 'webhook.ping')

export type WebhookFields = Pick<Webhook, 'url' | 'description' | 'events' | 'batch'>

type Props = {
  title: string
  action: string
  /** Current fields. Absent for a new webhook. */
  from?: WebhookFields
  onSave: (fields: WebhookFields) => Promise<unknown>
  onClose: () => void
}

const blank: WebhookFields = { url: '', description: '', events: [], batch: false }

/** Asks for the address of a webhook and the events that it receives. */
export function WebhookDialog({ title, action, from = blank, onSave, onClose }: Props) {
  const [fields, setFields] = useState(from)
  const [isEmpty, setEmpty] = useState(false)
  const save = useMutation({ mutationFn: async () => onSave(fields) })
  const change = (changes: Partial<WebhookFields>) => setFields({ ...fields, ...changes })
  return (
    <Dialog title={title} wide onClose={onClose}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          setEmpty(fields.events.length === 0)
          if (fields.events.length > 0) save.mutate()
        }}
      >
        <FormProblem error={save.error} fields={['url', 'description']} />
        <Field
          label={text.url}
          hint={text.urlHint}
          type="url"
          required
          autoFocus
          autoComplete="off"
          value={fields.url}
          problem={fieldProblem(save.error, 'url')}
          onChange={(event) => change({ url: event.target.value })}
        />
        <Field
          label={text.description}
          hint={text.descriptionHint}
          autoComplete="off"
          maxLength={500}
          value={fields.description}
          problem={fieldProblem(save.error, 'description')}
          onChange={(event) => change({ description: event.target.value })}
        />
        <EventChoice fields={fields} isMissing={isEmpty && fields.events.length === 0} change={change} />
        <FormButtons action={action} busy={save.isPending} onClose={onClose} />
      </form>
    </Dialog>
  )
}

type ChoiceProps = {
  fields: WebhookFields
  /** Whether the user tried to save without any event. */
  isMissing: boolean
  change: (changes: Partial<WebhookFields>) => void
}

function EventChoice({ fields, isMissing, change }: ChoiceProps) {
  const takesAll = fields.events.includes('*')
  return (
    <>
      <fieldset>
        <legend className="mb-1 text-sm font-medium">{text.events}</legend>
        {isMissing && <Notice kind="problem">{text.noEvents}</Notice>}
        <Checkbox
          withLabel
          label={text.allEvents}
          checked={takesAll}
          onChange={({ target }) => change({ events: target.checked ? ['*'] : [] })}
        />
        {!takesAll && (
          <div className="grid gap-x-4 sm:grid-cols-2">
            {choosable.map((name) => (
              <Checkbox
                key={name}
                withLabel
                label={text.eventNames[name]}
                checked={fields.events.includes(name)}
                onChange={({ target }) =>
                  change({
                    events: target.checked
                      ? [...fields.events, name]
                      : fields.events.filter((one) => one !== name),
                  })
                }
              />
            ))}
          </div>
        )}
      </fieldset>
      {(takesAll || fields.events.includes('qr.scanned')) && (
        <Checkbox
          withLabel
          label={text.batch}
          hint={text.batchHint}
          checked={fields.batch}
          onChange={({ target }) => change({ batch: target.checked })}
        />
      )}
    </>
  )
}
