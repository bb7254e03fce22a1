import { lazy, Suspense } from 'react'
import { loadPart } from '../session/reachability.ts'
import { contentSchema, emptyMenu, type DraftData } from './content-schemas.ts'
import type { Draft } from './code-drafts.ts'
import { commonWords } from '../words/common-words.ts'
import { editorWords } from '../words/editor-words.ts'
import { Options } from '../ui/options.tsx'
import { Card, Notice } from '../ui/surfaces.tsx'
import { SchemaFields, type FormPaths } from './schema-fields.tsx'

const text = editorWords

/** The table of a menu, which few codes have. */
const MenuEditor = lazy(async () =>
  loadPart(async () => import('./menu/menu-editor.tsx')).then((module) => ({ default: module.MenuEditor })),
)

type Props = { draft: Draft; form: FormPaths; onChange: (data: DraftData) => void }

/** Edits the content of a code, in a form that follows the schema of its type. */
export function ContentCard({ draft: { type, data }, form, onChange }: Props) {
  return (
    <Card title={`${text.content}${commonWords.colon} ${commonWords.types[type]}`}>
      <ContentFields type={type} data={data} path="data" form={form} onChange={onChange} />
    </Card>
  )
}

/** Edits content of a type: that of a code, or of one of its rules. */
export function ContentFields({
  type,
  data,
  path,
  form,
  onChange,
}: Pick<Draft, 'type' | 'data'> & Omit<Props, 'draft'> & { path: string }) {
  const schema = contentSchema(type)
  const isWritten = type === 'MENU' && !('url' in data)
  const names = type === 'MENU' ? ['url'] : undefined
  const problem = form.problemAt(path)
  return (
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
      {isWritten ? (
        <Suspense fallback={<div className="h-96 animate-pulse rounded-control bg-raised" />}>
          <MenuEditor data={data} path={path} form={form} onChange={onChange} />
        </Suspense>
      ) : (
        <SchemaFields
          key={type}
          wordsKey={type}
          path={path}
          schema={schema}
          value={data}
          form={form}
          onChange={onChange}
          {...(names !== undefined && { names })}
        />
      )}
    </div>
  )
}
