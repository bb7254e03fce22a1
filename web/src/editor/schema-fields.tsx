import type { ContentField, QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { joinPath } from '@everscan/contract/schema/paths.ts'
import { isRecord } from '@everscan/contract/schema/records.ts'
import { useState } from 'react'
import { emptyValue, textKind, withScheme, type DraftData, type FieldSchema } from './content-schemas.ts'
import { editorWords } from '../words/editor-words.ts'
import { ChoiceField } from '../ui/choice.tsx'
import { Field, TextArea } from '../ui/field.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Folded } from '../ui/options.tsx'
import { Rows } from './rows.tsx'
import { numberOf, shownNumber } from './typed-numbers.ts'

const text = editorWords
const choiceWords: Readonly<Record<string, string>> = text.choices
const fieldWords: Readonly<Record<string, readonly [label: string, hint?: string]>> = text.fields

/** Problems and events of a form's fields, by path. */
export type FormPaths = {
  /** Returns the problem of a field, once the user has been there. */
  problemAt: (path: string) => string | undefined
  /** Returns whether any field below a path shows a problem. */
  hasProblemIn: (path: string) => boolean
  /** Called when the user leaves a field. */
  onLeave: (path: string) => void
}

type FieldProps = {
  /** Key of its texts in the catalogue of words: `MENU.sections.name`. */
  wordsKey: string
  path: string
  schema: FieldSchema
  value: unknown
  isRequired: boolean
  form: FormPaths
  onChange: (value: unknown) => void
}

/** Optional fields that few users need, by the key of their parent. */
const folded: Readonly<Record<string, readonly string[]>> = {
  VCARD: ['website', 'address', 'note'],
  WIFI: ['encryption', 'hidden'],
  'MENU.sections.items': ['description'],
} satisfies Partial<Record<QrCodeType | ContentField, readonly string[]>>
const wide: ReadonlySet<string> = new Set(['url', 'name', 'description', 'street', 'note', 'body', 'message'])

type FieldsProps = Omit<FieldProps, 'value' | 'isRequired' | 'onChange'> & {
  value: DraftData
  onChange: (value: DraftData) => void
  /** Fields of the schema to show. Default: all. */
  names?: readonly string[]
}

/** Shows the fields of an object, as its schema defines them. */
export function SchemaFields({ schema, value, names, ...rest }: FieldsProps) {
  const { properties = {}, required = [] } = schema
  const all = names ?? Object.keys(properties)
  const away = all.filter((name) => folded[rest.wordsKey]?.includes(name))
  const isFilled = (name: string) => value[name] !== undefined && value[name] !== ''
  const field = (name: string) => (
    <div key={name} className={wide.has(name) || isLarge(properties[name]) ? 'col-span-full' : 'min-w-0'}>
      <SchemaField
        wordsKey={`${rest.wordsKey}.${name}`}
        path={joinPath(rest.path, name)}
        schema={properties[name] ?? {}}
        value={value[name]}
        isRequired={required.includes(name)}
        form={rest.form}
        onChange={(next) => rest.onChange({ ...value, [name]: next })}
      />
    </div>
  )
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">{all.filter((name) => !away.includes(name)).map(field)}</div>
      {away.length > 0 && (
        <Folded title={text.more} open={away.some(isFilled)}>
          <div className="grid gap-4 sm:grid-cols-2">{away.map(field)}</div>
        </Folded>
      )}
    </>
  )
}

/**
 * Returns whether a field takes the whole width: text in lines, addresses, and fields with parts.
 */
const isLarge = (schema: FieldSchema = {}) =>
  schema.type === 'object' ||
  schema.type === 'array' ||
  (schema.type === 'string' && ['lines', 'url'].includes(textKind(schema)))

function SchemaField(props: FieldProps) {
  const { schema, wordsKey, path, value, form, onChange } = props
  const [label = '', hint] = fieldWords[wordsKey] ?? []
  const { type = 'string' } = schema
  switch (type) {
    case 'array':
      return <ListField {...props} label={label} />
    case 'object':
      return (
        <fieldset className="min-w-0">
          <legend className="mb-2 text-sm font-medium text-soft">{label}</legend>
          <SchemaFields
            wordsKey={wordsKey}
            path={path}
            schema={schema}
            value={isRecord(value) ? value : {}}
            form={form}
            onChange={onChange}
          />
        </fieldset>
      )
    case 'boolean':
      return (
        <Checkbox
          withLabel
          label={label}
          checked={value === true}
          onChange={({ target }) => onChange(target.checked ? true : undefined)}
        />
      )
    case 'number':
      return <NumberField {...props} label={label} />
    default:
      return schema.enum === undefined ? (
        <TextField {...props} label={label} hint={hint} />
      ) : (
        <ChoiceField
          label={label}
          hint={hint}
          problem={form.problemAt(path)}
          value={typeof value === 'string' ? value : ''}
          options={['', ...schema.enum].map((one) => [one, choiceWords[one] ?? one] as const)}
          onChoose={(one) => onChange(one === '' ? undefined : one)}
        />
      )
  }
}

/** Shows a list, each of its entries as the fields of an object. */
function ListField({ schema, wordsKey, path, value, form, onChange, label }: FieldProps & { label: string }) {
  const rows: unknown[] = Array.isArray(value) ? value : []
  const items = schema.items ?? {}
  return (
    <Rows
      name={label}
      rows={rows}
      rowsMax={schema.maxItems ?? Infinity}
      rowsMin={schema.minItems ?? 0}
      problem={form.problemAt(path)}
      isLarge={Object.values(items.properties ?? {}).some((one) => one.type === 'array')}
      titleOf={(row) => (isRecord(row) && typeof row['name'] === 'string' ? row['name'] : '')}
      hasProblem={(at) => form.hasProblemIn(joinPath(path, at))}
      onChange={onChange}
      onAdd={() => onChange([...rows, newRow(items, rows.at(-1))])}
    >
      {(row, at) => (
        <SchemaFields
          wordsKey={wordsKey}
          path={joinPath(path, at)}
          schema={items}
          value={isRecord(row) ? row : {}}
          form={form}
          onChange={(next) => onChange(rows.with(at, next))}
        />
      )}
    </Rows>
  )
}

/** Returns a new entry. Its currency is that of the last entry, which is mostly right. */
function newRow(schema: FieldSchema, last: unknown): Record<string, unknown> {
  const row = emptyValue(schema)
  return isRecord(last) && 'currency' in last ? { ...row, currency: last['currency'] } : row
}

const inputTypes = {
  url: { dir: 'ltr', inputMode: 'url', autoCapitalize: 'none', spellCheck: false, placeholder: 'https://' },
  email: { dir: 'ltr', inputMode: 'email', autoCapitalize: 'none', spellCheck: false },
  phone: { dir: 'ltr', inputMode: 'tel' },
  line: {},
} as const

function TextField({
  schema,
  path,
  value,
  isRequired,
  form,
  onChange,
  label,
  hint,
}: FieldProps & { label: string; hint: string | undefined }) {
  const kind = textKind(schema)
  const [example] = schema.examples ?? []
  const common = {
    label,
    hint,
    problem: form.problemAt(path),
    value: typeof value === 'string' ? value : '',
    'aria-required': isRequired,
    autoComplete: 'off',
    ...(typeof example === 'string' && { placeholder: text.example(example) }),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  }
  if (kind === 'lines') return <TextArea {...common} onBlur={() => form.onLeave(path)} />
  return (
    <Field
      {...common}
      {...inputTypes[kind]}
      onBlur={() => {
        if (kind === 'url' && typeof value === 'string') onChange(withScheme(value))
        form.onLeave(path)
      }}
    />
  )
}

/**
 * Edits a number with a decimal point or comma. Other text stays as typed and is reported as a
 * problem.
 */
function NumberField({ path, value, form, onChange, label }: FieldProps & { label: string }) {
  const [typed, setTyped] = useState(() => shownNumber(value))
  const current = numberOf(typed)
  const written = current === value ? typed : shownNumber(value)
  return (
    <Field
      label={label}
      problem={form.problemAt(path)}
      inputMode="decimal"
      autoComplete="off"
      value={written}
      onChange={(event) => {
        setTyped(event.target.value)
        onChange(numberOf(event.target.value))
      }}
      onBlur={() => form.onLeave(path)}
    />
  )
}
