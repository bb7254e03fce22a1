import type { Conditions, ExcludedConditions } from '@everscan/contract/rules/rules.ts'
import { joinPath } from '@everscan/contract/schema/paths.ts'
import { Plus, X } from 'lucide-react'
import { Button } from '../ui/button.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { rulesWords } from '../words/rules-words.ts'
import { ConditionEditor } from './condition-editor.tsx'
import {
  conditionNames,
  shownConditions,
  withCondition,
  withFields,
  withoutCondition,
  type ShownCondition,
} from './conditions.ts'
import type { RulePaths } from './rule-paths.ts'

const text = rulesWords.form

type Props = {
  when: Conditions
  path: string
  form: RulePaths
  onChange: (when: Conditions) => void
}

/** Edits when a rule fits: its conditions, and its exceptions. */
export function ConditionsForm({ when, path, form, onChange }: Props) {
  const { not, ...wanted } = when
  const shown = shownConditions(wanted)
  const excluded = shownConditions(not ?? {})
  const changeNot = (next: ExcludedConditions) => {
    const { not: _not, ...rest } = when
    onChange(shownConditions(next).length === 0 ? rest : { ...rest, not: next })
  }
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="mb-1 text-sm font-semibold">{text.when}</legend>
      {shown.length + excluded.length === 0 && <p className="text-sm text-soft">{text.always}</p>}
      {shown.map((name) => (
        <Condition key={name} name={name} onRemove={() => onChange(withoutCondition(when, name))}>
          <ConditionEditor
            name={name}
            when={when}
            path={path}
            form={form}
            onChange={(fields) => onChange(withFields(when, fields))}
          />
        </Condition>
      ))}
      {excluded.length > 0 && <p className="text-sm font-semibold">{text.except}</p>}
      {excluded.map((name) => (
        <Condition key={name} name={name} onRemove={() => changeNot(withoutCondition(not ?? {}, name))}>
          <ConditionEditor
            name={name}
            when={not ?? {}}
            path={joinPath(path, 'not')}
            form={form}
            onChange={(fields) => changeNot(withFields(not ?? {}, fields))}
          />
        </Condition>
      ))}
      <div className="flex flex-wrap gap-2">
        <AddCondition
          label={text.addCondition}
          used={shown}
          onAdd={(name) => onChange(withCondition(when, name))}
        />
        <AddCondition
          label={text.addException}
          used={excluded}
          onAdd={(name) => changeNot(withCondition(not ?? {}, name, when.timeZone))}
        />
      </div>
    </fieldset>
  )
}

function Condition({
  name,
  onRemove,
  children,
}: {
  name: ShownCondition
  onRemove: () => void
  children: React.ReactNode
}) {
  return (
    <div className="flex items-start gap-1 rounded-control border border-line p-3 pe-1">
      <div className="min-w-0 flex-1">{children}</div>
      <Button
        look="quiet"
        aria-label={text.removeCondition(rulesWords.conditions[name])}
        onClick={onRemove}
        className="px-2"
      >
        <X size={18} aria-hidden />
      </Button>
    </div>
  )
}

function AddCondition({
  label,
  used,
  onAdd,
}: {
  label: string
  used: readonly ShownCondition[]
  onAdd: (name: ShownCondition) => void
}) {
  return (
    <Menu
      align="start"
      trigger={
        <Button>
          <Plus size={16} aria-hidden />
          {label}
        </Button>
      }
    >
      {conditionNames
        .filter((name) => !used.includes(name))
        .map((name) => (
          <MenuItem key={name} onSelect={() => onAdd(name)}>
            {rulesWords.conditions[name]}
          </MenuItem>
        ))}
    </Menu>
  )
}
