import type { UtmTemplate } from '@everscan/client/create-client.ts'
import { patterns } from '@everscan/contract/schema/patterns.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { utmFields, type UtmField } from '@everscan/contract/utm/utm-templates.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useState, type FormEvent } from 'react'
import { formProblem } from '@everscan/contract/schema/problems.ts'
import { api, queries } from '../session/api.ts'
import { Button } from '../ui/button.tsx'
import { ChoiceField } from '../ui/choice.tsx'
import { Field } from '../ui/field.tsx'
import { formatNumber } from '../ui/format.ts'
import { NameDialog } from '../ui/name-dialog.tsx'
import { Options } from '../ui/options.tsx'
import { showProblem } from '../ui/problems.ts'
import { showToast } from '../ui/toasts.ts'
import { tableWords } from '../words/bulk-table-words.ts'
import { sayProblem } from '../words/problems/say-problem.ts'
import type { FolderLabel } from './bulk-csv.ts'
import { utmTemplatesQuery } from './bulk-queries.ts'
import type { BulkRow } from './bulk-rows.ts'
import { utmDestinations, type UtmMode } from './destinations.ts'
import { DestinationPreview, valuesOf } from './replace-tool.tsx'
import type { CellValue } from './use-bulk-rows.ts'

const text = tableWords.utm

type Values = Readonly<Record<UtmField, string>>

const noValues: Values = { source: '', medium: '', campaign: '', term: '', content: '' }
const valuePattern = new RegExp(patterns.utmValue)

type Props = {
  orgId: string
  rows: readonly BulkRow[]
  folders: readonly FolderLabel[]
  onApply: (values: CellValue[]) => void
}

/** Adds UTM parameters to all destinations, from a template or typed. Shows each change first. */
export function UtmTool({ orgId, rows, folders, onApply }: Props) {
  const templates = useQuery(utmTemplatesQuery(orgId))
  const [values, setValues] = useState(noValues)
  const [mode, setMode] = useState<UtmMode>('replace')
  const [templateId, setTemplateId] = useState('')
  const all = templates.data ?? []
  const chosen = all.find(({ id }) => id === templateId)
  const problems = new Map(utmFields.map((field) => [field, problemOf(values[field])]))
  const isBad = utmFields.some((field) => problems.get(field) !== undefined)
  const changes = useMemo(
    () => (isBad ? [] : utmDestinations(rows, { values, mode, folderName: lastNameOf(folders) })),
    [rows, values, mode, folders, isBad],
  )
  const isEmpty = utmFields.every((field) => values[field] === '')
  const choose = (id: string) => {
    setTemplateId(id)
    setValues(valuesOfTemplate(all.find((one) => one.id === id)))
  }
  const apply = (event: FormEvent) => {
    event.preventDefault()
    onApply(valuesOf(changes))
    choose('')
  }
  return (
    <div className="grid gap-3">
      <form onSubmit={apply} className="grid gap-3">
        <ValueFields
          {...{ templates: all, templateId, values, problems }}
          onTemplate={choose}
          onValues={setValues}
        />
        <p className="text-sm text-soft">{text.hint}</p>
        <div className="flex flex-wrap items-end gap-3">
          <Options
            legend={text.existing}
            value={mode}
            options={[
              ['replace', text.modes.replace],
              ['keep', text.modes.keep],
            ]}
            onChoose={setMode}
          />
          <Button type="submit" disabled={changes.length === 0}>
            {text.apply(changes.length, formatNumber(changes.length))}
          </Button>
        </div>
      </form>
      <div className="flex flex-wrap gap-2">
        <TemplateButtons
          orgId={orgId}
          chosen={chosen}
          values={values}
          isUsable={!isEmpty && !isBad}
          onChosen={setTemplateId}
        />
      </div>
      <DestinationPreview changes={changes} none={isEmpty ? text.start : text.none} />
    </div>
  )
}

type FieldsProps = {
  templates: readonly UtmTemplate[]
  templateId: string
  values: Values
  problems: ReadonlyMap<UtmField, string | undefined>
  onTemplate: (id: string) => void
  onValues: (values: Values) => void
}

function ValueFields({ templates, templateId, values, problems, onTemplate, onValues }: FieldsProps) {
  return (
    <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
      <ChoiceField
        label={text.template}
        value={templateId}
        options={[['', text.noTemplate], ...templates.map(({ id, name }): [string, string] => [id, name])]}
        onChoose={onTemplate}
      />
      {utmFields.map((field) => (
        <Field
          key={field}
          label={text.fields[field]}
          value={values[field]}
          problem={problems.get(field)}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onValues({ ...values, [field]: event.target.value })}
        />
      ))}
    </div>
  )
}

function problemOf(value: string): string | undefined {
  if (value === '') return undefined
  if (Array.from(value).length > limits.utmValueCharsMax)
    return tableWords.bad.nameLong(limits.utmValueCharsMax)
  return valuePattern.test(value) ? undefined : sayProblem(formProblem(patterns.utmValue))
}

const valuesOfTemplate = (template: UtmTemplate | undefined): Values => ({
  source: template?.source ?? '',
  medium: template?.medium ?? '',
  campaign: template?.campaign ?? '',
  term: template?.term ?? '',
  content: template?.content ?? '',
})

/** A value stands for a folder alone, without the name of the folder around it. */
const lastNameOf = (folders: readonly FolderLabel[]) => (id: string) =>
  folders.find((folder) => folder.id === id)?.name ?? ''

type ButtonsProps = {
  orgId: string
  chosen: UtmTemplate | undefined
  values: Values
  isUsable: boolean
  onChosen: (id: string) => void
}

/** Saves the values as a template, and changes or deletes the chosen template. */
function TemplateButtons({ orgId, chosen, values, isUsable, onChosen }: ButtonsProps) {
  const [isNaming, setNaming] = useState(false)
  const sent = {
    source: values.source || null,
    medium: values.medium || null,
    campaign: values.campaign || null,
    term: values.term || null,
    content: values.content || null,
  }
  const { refresh, update, remove } = useTemplateChanges({ orgId, sent, onChosen })
  const differs = chosen !== undefined && utmFields.some((field) => values[field] !== (chosen[field] ?? ''))
  return (
    <>
      {isUsable && (chosen === undefined || differs) && (
        <Button look="quiet" onClick={() => setNaming(true)}>
          {text.save}
        </Button>
      )}
      {chosen !== undefined && differs && isUsable && (
        <Button look="quiet" busy={update.isPending} onClick={() => update.mutate(chosen)}>
          {text.update}
        </Button>
      )}
      {chosen !== undefined && (
        <Button look="quiet" busy={remove.isPending} onClick={() => remove.mutate(chosen)}>
          {text.delete}
        </Button>
      )}
      {isNaming && (
        <NameDialog
          title={text.save}
          name=""
          onSave={async (name) => {
            const { id } = await api.utmTemplates.create(orgId, { name, ...sent })
            await refresh()
            onChosen(id)
            showToast({ kind: 'good', text: text.saved(name) })
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  )
}

type ChangesOptions = Pick<ButtonsProps, 'orgId' | 'onChosen'> & { sent: Record<UtmField, string | null> }

function useTemplateChanges({ orgId, sent, onChosen }: ChangesOptions) {
  const refresh = async () => queries.invalidateQueries({ queryKey: ['utm-templates', orgId] })
  const update = useMutation({
    mutationFn: async (template: UtmTemplate) => api.utmTemplates.update(orgId, template.id, sent),
    onSuccess: ({ name }) => showToast({ kind: 'good', text: text.updated(name) }),
    onError: showProblem,
    onSettled: refresh,
  })
  const bringBack = useMutation({
    mutationFn: async ({ name, ...template }: UtmTemplate) =>
      api.utmTemplates.create(orgId, { name, ...nullable(template) }),
    onError: showProblem,
    onSettled: refresh,
  })
  const remove = useMutation({
    mutationFn: async (template: UtmTemplate) => api.utmTemplates.delete(orgId, template.id),
    onSuccess: (_done, template) => {
      onChosen('')
      showToast({ kind: 'good', text: text.deleted(template.name), undo: () => bringBack.mutate(template) })
    },
    onError: showProblem,
    onSettled: refresh,
  })
  return { refresh, update, remove }
}

const nullable = ({ source, medium, campaign, term, content }: Omit<UtmTemplate, 'name'>) => ({
  source,
  medium,
  campaign,
  term,
  content,
})
