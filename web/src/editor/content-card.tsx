import { contentSchema, emptyMenu, type DraftData } from './content-schemas.ts'
import type { Draft } from './code-drafts.ts'
import { commonWords } from '../words/common-words.ts'
import { editorWords } from '../words/editor-words.ts'
import { Options } from '../ui/options.tsx'
import { Card, Notice } from '../ui/surfaces.tsx'
import { SchemaFields, type FormPaths } from './schema-fields.tsx'

const text = editorWords

type Props = { draft: Draft; form: FormPaths; onChange: (data: DraftData) => void }

/** Edits the content of a code, in a form that follows the schema of its type. */
export function ContentCard({ draft: { type, data }, form, onChange }: Props) {
  const schema = contentSchema(type)
  const isWritten = type === 'MENU' && !('url' in data)
  const names = type === 'MENU' ? (isWritten ? ['title', 'sections'] : ['url']) : undefined
  const problem = form.problemAt('data')
  return (
    <Card title={`${text.content}: ${commonWords.types[type]}`}>
      <div className="grid gap-4">
        {type === 'MENU' && (
          <Options
            legend={text.menuWays.legend}
            value={isWritten ? 'written' : 'link'}
            options={[
              ['link', text.menuWays.link],
              ['written', text.menuWays.written],
            ]}
            onChoose={(way) => onChange(way === 'written' ? emptyMenu : { url: '' })}
          />
        )}
        {problem !== undefined && <Notice kind="problem">{type === 'APP' ? text.appNeeds : problem}</Notice>}
        <SchemaFields
          key={type}
          wordsKey={type}
          path="data"
          schema={schema}
          value={data}
          form={form}
          onChange={onChange}
          {...(names !== undefined && { names })}
        />
      </div>
    </Card>
  )
}
