import type { Domain } from '@everscan/client/create-client.ts'
import type { Folder } from '@everscan/contract/resources/folders.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { normalizeTags } from '@everscan/contract/resources/tags.ts'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { api } from '../session/api.ts'
import { folderQuery, foldersQuery } from '../codes/folders.ts'
import { codeFormOf, suggestedName, type Draft } from './code-drafts.ts'
import { domainsWords } from '../words/domains-words.ts'
import { editorWords } from '../words/editor-words.ts'
import { ChoiceField } from '../ui/choice.tsx'
import { Field } from '../ui/field.tsx'
import { Folded } from '../ui/options.tsx'
import { Card } from '../ui/surfaces.tsx'
import { Token } from '../ui/token.tsx'
import type { FormPaths } from './schema-fields.tsx'
import { currentLocale } from '../words/chosen-language.ts'

const text = editorWords
const byName = new Intl.Collator(currentLocale(), { numeric: true })

type Props = {
  orgId: string
  draft: Draft
  isNew: boolean
  /** Domains that a new code can be on. */
  domains: readonly Domain[]
  form: FormPaths
  onChange: (changes: Partial<Draft>) => void
}

/**
 * Edits the fields by which a code is found again: name, folder, tags, and its domain and short
 * code while they can be chosen.
 */
export function DetailsCard({ orgId, draft, isNew, domains, form, onChange }: Props) {
  const isExact = codeFormOf(domains, draft) === 'exact'
  const folders = useQuery(foldersQuery(orgId))
  const chosen = useQuery(folderQuery(orgId, draft.folderId))
  return (
    <Card title={text.details}>
      <div className="grid grid-cols-1 gap-4">
        <Field
          label={text.name}
          hint={text.nameHint}
          autoComplete="off"
          placeholder={suggestedName(draft)}
          value={draft.name}
          problem={form.problemAt('name')}
          onChange={(event) => onChange({ name: event.target.value })}
          onBlur={() => form.onLeave('name')}
        />
        <ChoiceField
          label={text.folder}
          problem={form.problemAt('folderId')}
          value={draft.folderId ?? ''}
          options={[['', text.noFolder], ...folderOptions(folders.data ?? [], chosen.data)]}
          onChoose={(id) => onChange({ folderId: id === '' ? null : id })}
        />
        <TagsField
          orgId={orgId}
          tags={draft.tags}
          problem={form.problemAt('tags')}
          onChange={(tags) => onChange({ tags })}
        />
        {isNew && domains.length > 0 && (
          <ChoiceField
            label={domainsWords.choice}
            hint={domainsWords.choiceHint}
            problem={form.problemAt('domainId')}
            value={draft.domainId ?? ''}
            options={[
              ...domains.map(({ id, hostname }) => [id, hostname] as const),
              ['', domainsWords.ofInstallation],
            ]}
            onChoose={(id) => onChange({ domainId: id === '' ? null : id })}
          />
        )}
        {isNew && (
          <Folded title={text.more} open={draft.shortCode !== ''}>
            <Field
              label={text.shortCode}
              hint={isExact ? text.exactShortCodeHint : text.shortCodeHint}
              autoComplete="off"
              autoCapitalize={isExact ? 'none' : 'characters'}
              spellCheck={false}
              maxLength={isExact ? limits.exactShortCodeCharsMax : limits.shortCodeCharsMax}
              value={draft.shortCode}
              problem={form.problemAt('shortCode')}
              onChange={(event) => onChange({ shortCode: event.target.value.trim() })}
              onBlur={() => form.onLeave('shortCode')}
            />
          </Folded>
        )}
      </div>
    </Card>
  )
}

/** Returns folders by their full name. The chosen one shows before all others are read. */
function folderOptions(folders: readonly Folder[], chosen: Folder | undefined): [string, string][] {
  const names = new Map(folders.map(({ id, name }) => [id, name]))
  const all = chosen === undefined || names.has(chosen.id) ? folders : [chosen, ...folders]
  return all
    .map(({ id, name, parentId }): [string, string] => {
      const parent = names.get(parentId ?? '')
      return [id, parent === undefined ? name : `${parent} / ${name}`]
    })
    .toSorted(([, a], [, b]) => byName.compare(a, b))
}

function TagsField({
  orgId,
  tags,
  problem,
  onChange,
}: {
  orgId: string
  tags: readonly string[]
  problem: string | undefined
  onChange: (tags: readonly string[]) => void
}) {
  const [typed, setTyped] = useState('')
  const listId = useId()
  const used = useQuery({
    queryKey: ['tags', orgId, 'choice'],
    queryFn: async ({ signal }) => api.tags.list(orgId, { limit: 100 }, { signal }),
  })
  const add = (written: string) => {
    const added = written.split(',').filter((tag) => tag.trim() !== '')
    if (added.length > 0) onChange(normalizeTags([...tags, ...added]).slice(0, limits.tagsMax))
    setTyped('')
  }
  return (
    <div>
      <Field
        label={text.tags}
        hint={text.tagsHint}
        problem={problem}
        autoComplete="off"
        list={listId}
        maxLength={limits.tagCharsMax}
        value={typed}
        onChange={(event) =>
          event.target.value.includes(',') ? add(event.target.value) : setTyped(event.target.value)
        }
        onKeyDown={(event) => {
          if (event.key === 'Backspace' && typed === '' && tags.length > 0) onChange(tags.slice(0, -1))
          if (event.key !== 'Enter') return
          event.preventDefault()
          add(typed)
        }}
        onBlur={() => add(typed)}
      />
      <datalist id={listId}>
        {used.data?.data.map(({ tag }) => tags.includes(tag) || <option key={tag} value={tag} />)}
      </datalist>
      {tags.length > 0 && (
        <ul className="mt-2 flex flex-wrap gap-2">
          {tags.map((tag) => (
            <Token
              key={tag}
              name={tag}
              removeLabel={text.removeTag(tag)}
              onRemove={() => onChange(tags.filter((one) => one !== tag))}
            />
          ))}
        </ul>
      )}
    </div>
  )
}
