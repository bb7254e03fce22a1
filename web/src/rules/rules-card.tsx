import type { Access } from '@everscan/contract/access/access.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { ruleWarnings, type RuleWarning } from '@everscan/contract/rules/rule-warnings.ts'
import type { RuleInput } from '@everscan/contract/rules/rules.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import { Clock, FlaskConical, Languages, Plus, Smartphone, type LucideIcon } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { leadOf } from '../codes/lead.tsx'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { LearnMore } from '../ui/learn-more.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { Folded } from '../ui/options.tsx'
import { Card } from '../ui/surfaces.tsx'
import { showToast } from '../ui/toasts.ts'
import { rulesWords } from '../words/rules-words.ts'
import { conditionInWords } from './condition-words.ts'
import { ReplayPanel } from './replay-panel.tsx'
import type { RenderContent } from './rule-content.tsx'
import { moved, newRuleId, type DraftRule, type RuleData } from './rule-drafts.ts'
import type { RulePaths } from './rule-paths.ts'
import { RuleRow } from './rule-row.tsx'
import { rulesOfTemplate, templateNames, type TemplateName } from './rule-templates.ts'
import { TrialPanel } from './trial-panel.tsx'
import { WeekView } from './week-view.tsx'

const text = rulesWords

export type RulesCardProps = {
  orgId: string
  /** Undefined for a code that is not saved yet. */
  codeId: string | undefined
  /** The saved access of the code. */
  access: Access | null
  /** Whether rules can only be read and tried. */
  isLocked: boolean
  type: QrCodeType
  rules: readonly DraftRule[]
  passQuery: boolean
  ownData: RuleData
  emptyData: RuleData
  form: RulePaths
  /** Returns the rules of the form as they would be sent. */
  sentRules: () => RuleInput[]
  renderContent: RenderContent
  onChange: (changes: { rules?: readonly DraftRule[]; passQuery?: boolean }) => void
}

/** Edits the rules of a code: who gets other content than the code's own. */
export function RulesCard(props: RulesCardProps) {
  const { orgId, codeId, isLocked, type, rules, passQuery, ownData, emptyData, form, sentRules, onChange } =
    props
  const [openId, setOpenId] = useState<string>()
  const list = useRef<HTMLOListElement>(null)
  // Undoing comes later, and must not bring the rest of the list back as it was.
  const latest = useRef(rules)
  useEffect(() => {
    latest.current = rules
  }, [rules])
  // The browser takes the focus from an element that moves.
  const movedRule = useRef<{ id: string; way: 'up' | 'down' }>(undefined)
  useEffect(() => {
    const { id, way } = movedRule.current ?? {}
    movedRule.current = undefined
    const buttons = [
      ...(list.current?.querySelectorAll<HTMLButtonElement>(`[data-rule="${id}"] [data-move]`) ?? []),
    ]
    const usable = buttons.filter(({ disabled }) => !disabled)
    ;(usable.find(({ dataset }) => dataset['move'] === way) ?? usable[0])?.focus()
  }, [rules])
  const nowMs = Date.now()
  const warnings = ruleWarnings(rules, nowMs)
  const set = (next: readonly DraftRule[]) => onChange({ rules: next })
  const add = (name: TemplateName) => {
    const added = withFreeNames(rulesOfTemplate(name, { emptyData, ownData }), rules)
    set([...rules, ...added])
    setOpenId(added[0]?.id)
  }
  const move = (from: number, to: number) => {
    const rule = latest.current[from]
    if (rule === undefined || from === to) return
    movedRule.current = { id: rule.id, way: to < from ? 'up' : 'down' }
    set(moved(latest.current, from, to))
    showToast({ kind: 'good', text: text.movedTo(rule.name, to + 1, latest.current.length) })
  }
  const remove = (at: number) => {
    const gone = rules[at]
    if (gone === undefined) return
    set(rules.toSpliced(at, 1))
    showToast({
      kind: 'good',
      text: text.deleted(gone.name),
      undo: () => set(latest.current.toSpliced(at, 0, gone)),
    })
  }
  const duplicate = (at: number) => {
    const rule = rules[at]
    if (rule === undefined) return
    const copy = { ...rule, id: newRuleId(), name: text.copyOf(rule.name).slice(0, limits.ruleNameCharsMax) }
    set(rules.toSpliced(at + 1, 0, copy))
    setOpenId(copy.id)
  }
  if (rules.length === 0)
    return (
      <Card title={text.title}>
        <fieldset disabled={isLocked} className="min-w-0">
          <EmptyRules onAdd={add} />
          <PassQuery isOn={passQuery} onChange={(isOn) => onChange({ passQuery: isOn })} />
        </fieldset>
        {codeId !== undefined && props.access !== null && (
          <Folded title={text.trial.title}>
            <TrialPanel orgId={orgId} codeId={codeId} type={type} rules={sentRules} access={props.access} />
          </Folded>
        )}
      </Card>
    )
  return (
    <Card title={text.title}>
      <div className="grid gap-4">
        <p className="-mt-2 text-sm text-soft">
          {text.intro} <LearnMore about="rules" />
        </p>
        <fieldset disabled={isLocked} className="grid min-w-0 gap-4">
          <ol ref={list} className="grid gap-2">
            {rules.map((rule, index) => (
              <RuleRow
                key={rule.id}
                rule={rule}
                index={index}
                count={rules.length}
                type={type}
                warning={warningInWords(
                  warnings.find((one) => one.index === index),
                  rules,
                )}
                form={form}
                emptyData={emptyData}
                renderContent={props.renderContent}
                isOpen={openId === rule.id}
                onOpen={(isOpen) => setOpenId(isOpen ? rule.id : undefined)}
                actions={{
                  change: (next) => set(rules.with(index, next)),
                  move: (to) => move(index, to),
                  take: (from) => move(from, index),
                  duplicate: () => duplicate(index),
                  remove: () => remove(index),
                }}
              />
            ))}
            <li className="rounded-control border border-dashed border-line px-3 py-2 text-sm">
              <span className="font-medium">{text.everyoneElse}</span>{' '}
              <span className="wrap-anywhere text-soft">
                {text.leadsTo} {leadOf({ type, data: ownData })?.shown ?? text.nothingYet}
              </span>
            </li>
          </ol>
          {!isLocked && <AddRule isFull={rules.length >= limits.rulesMax} onAdd={add} />}
        </fieldset>
        <WeekView rules={rules} nowMs={nowMs} />
        <div>
          <Folded title={text.trial.title}>
            {codeId === undefined ? (
              <p className="text-sm text-soft">{text.trial.afterSave}</p>
            ) : (
              <TrialPanel orgId={orgId} codeId={codeId} type={type} rules={sentRules} access={props.access} />
            )}
          </Folded>
          {codeId !== undefined && (
            <Folded title={text.replay.title}>
              <ReplayPanel orgId={orgId} codeId={codeId} rules={sentRules} />
            </Folded>
          )}
          <fieldset disabled={isLocked} className="min-w-0">
            <PassQuery isOn={passQuery} onChange={(isOn) => onChange({ passQuery: isOn })} />
          </fieldset>
        </div>
      </div>
    </Card>
  )
}

const icons: Readonly<Record<TemplateName, LucideIcon>> = {
  hours: Clock,
  language: Languages,
  device: Smartphone,
  split: FlaskConical,
  blank: Plus,
}

function EmptyRules({ onAdd }: { onAdd: (name: TemplateName) => void }) {
  return (
    <div className="mb-4 grid gap-3">
      <p className="-mt-2 text-sm text-soft">
        {text.emptyText} <LearnMore about="rules" />
      </p>
      <ul className="grid gap-2 sm:grid-cols-2">
        {templateNames.map((name) => {
          const Icon = icons[name]
          const [title, hint] = text.templates[name]
          return (
            <li key={name}>
              <button
                type="button"
                onClick={() => onAdd(name)}
                className="flex size-full min-h-14 cursor-pointer items-center gap-3 rounded-control border border-line px-3 py-2 text-start hover:bg-raised"
              >
                <Icon size={20} aria-hidden className="shrink-0 text-brand" />
                <span className="min-w-0">
                  <span className="block text-sm font-medium">{title}</span>{' '}
                  <span className="block text-sm text-soft">{hint}</span>
                </span>
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function AddRule({ isFull, onAdd }: { isFull: boolean; onAdd: (name: TemplateName) => void }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Menu
        align="start"
        trigger={
          <Button disabled={isFull}>
            <Plus size={16} aria-hidden />
            {text.add}
          </Button>
        }
      >
        {templateNames.map((name) => (
          <MenuItem key={name} onSelect={() => onAdd(name)}>
            {text.templates[name][0]}
          </MenuItem>
        ))}
      </Menu>
      <p className="text-sm text-soft">{isFull ? text.addFull(limits.rulesMax) : text.saveHint}</p>
    </div>
  )
}

function PassQuery({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <Folded title={text.query} open={isOn}>
      <Checkbox
        withLabel
        label={text.passQuery}
        hint={text.passQueryHint}
        checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
      />
    </Folded>
  )
}

/** Numbers the names that other rules have already. */
function withFreeNames(added: readonly DraftRule[], rules: readonly DraftRule[]): DraftRule[] {
  const used = new Set(rules.map(({ name }) => name))
  return added.map((rule) => {
    let name = rule.name
    for (let number = 2; used.has(name); number++) name = text.numbered(rule.name, number)
    return { ...rule, name }
  })
}

function warningInWords(warning: RuleWarning | undefined, rules: readonly DraftRule[]): string | undefined {
  switch (warning?.kind) {
    case undefined:
      return undefined
    case 'ended':
      return text.warnings.ended
    case 'never':
      return text.warnings.never(conditionInWords(warning.field))
    case 'hidden':
      return text.warnings.hidden(warning.by.map((at) => rules[at]?.name ?? ''))
    default:
      return warning satisfies never
  }
}
