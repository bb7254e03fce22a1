import { useId, useState } from 'react'
import { Field } from '../ui/field.tsx'
import { Token } from '../ui/token.tsx'
import { rulesWords } from '../words/rules-words.ts'
import type { RulePaths } from './rule-paths.ts'
import type { NamedValue } from './value-names.ts'

const text = rulesWords.fields

type Props = {
  label: string
  hint: string
  path: string
  values: readonly string[]
  /** Values to offer. */
  offered?: readonly NamedValue[]
  /** Whether values that are not offered are accepted, too. */
  isOpen?: boolean
  nameOf?: (value: string) => string
  form: RulePaths
  onChange: (values: string[]) => void
}

/** Edits a list of values, of which some are offered by name. */
export function TokensField({
  label,
  hint,
  path,
  values,
  offered = [],
  isOpen = false,
  nameOf = (value) => value,
  form,
  onChange,
}: Props) {
  const { typed, unknown, type, add } = useTyped({ values, offered, isOpen, onChange })
  const listId = useId()
  const wrong = values.findIndex((_, at) => problemOf(form, `${path}[${at}]`) !== undefined)
  const problem =
    (unknown === undefined ? undefined : text.unknownValue(unknown)) ??
    (wrong < 0 ? undefined : problemOf(form, `${path}[${wrong}]`)) ??
    form.problemAt(path)
  return (
    <div>
      <Field
        label={label}
        hint={hint}
        problem={problem}
        autoComplete="off"
        list={listId}
        value={typed}
        onChange={({ target }) => type(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Backspace' && typed === '' && values.length > 0) onChange(values.slice(0, -1))
          if (event.key !== 'Enter') return
          event.preventDefault()
          add(typed)
        }}
        onBlur={() => {
          add(typed)
          form.onLeave(path)
        }}
      />
      <datalist id={listId}>
        {offered.map(([value, name]) => values.includes(value) || <option key={value} value={name} />)}
      </datalist>
      {values.length > 0 && (
        <ul className="mt-2 flex flex-wrap gap-2">
          {values.map((value, at) => (
            <Token
              key={value}
              name={nameOf(value)}
              removeLabel={text.removeValue(nameOf(value))}
              onRemove={() => onChange(values.filter((one) => one !== value))}
              isWrong={at === wrong}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

type TypedOptions = Required<Pick<Props, 'values' | 'offered' | 'isOpen' | 'onChange'>>

/** Holds what is typed until it is a value. `unknown` is what was typed and is none. */
function useTyped({ values, offered, isOpen, onChange }: TypedOptions) {
  const [typed, setTyped] = useState('')
  const [unknown, setUnknown] = useState<string>()
  const add = (written: string) => {
    const wanted = written.trim().toLowerCase()
    if (wanted === '') return
    const found = offered.find(([value, name]) => [value, name].some((one) => one.toLowerCase() === wanted))
    const value = found?.[0] ?? (isOpen ? written.trim() : undefined)
    setUnknown(value === undefined ? written.trim() : undefined)
    if (value === undefined) return
    if (!values.includes(value)) onChange([...values, value])
    setTyped('')
  }
  const type = (written: string) => {
    setUnknown(undefined)
    setTyped(written)
    // A choice from the list comes as one change, and needs no key.
    if (offered.some(([, name]) => name === written)) add(written)
  }
  return { typed, unknown, type, add }
}

/** The problem of an entry, or of its part: only cities have one. */
function problemOf(form: RulePaths, path: string): string | undefined {
  return form.problemAt(path) ?? form.problemAt(`${path}.country`) ?? form.problemAt(`${path}.city`)
}
