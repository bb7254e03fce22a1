import { limits } from '@everscan/contract/schema/limits.ts'
import { leadOf } from '../codes/lead.tsx'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { ChevronDown, ChevronUp, Ellipsis, GripVertical, TriangleAlert } from 'lucide-react'
import { useState, type DragEvent, type ReactNode } from 'react'
import { Badge } from '../ui/badge.tsx'
import { Button, iconButtonClass } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import { Field } from '../ui/field.tsx'
import { formatPercent } from '../ui/format.ts'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { rulesWords } from '../words/rules-words.ts'
import { ConditionsForm } from './conditions-form.tsx'
import { RuleContent, type RenderContent } from './rule-content.tsx'
import type { DraftRule, RuleData } from './rule-drafts.ts'
import type { RulePaths } from './rule-paths.ts'
import { sharesOf, whenSentence } from './rule-sentences.ts'
import { valueNames } from './value-names.ts'

const text = rulesWords

export type RowActions = {
  change: (rule: DraftRule) => void
  move: (to: number) => void
  /** Puts a rule that was dropped here in this place. */
  take: (from: number) => void
  duplicate: () => void
  remove: () => void
}

type Props = {
  rule: DraftRule
  index: number
  count: number
  type: QrCodeType
  /** Why the rule never answers. */
  warning: string | undefined
  form: RulePaths
  emptyData: RuleData
  renderContent: RenderContent
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  actions: RowActions
}

/** Shows a rule as a sentence. Opened, it is a form. */
export function RuleRow(props: Props) {
  const { rule, index, type, warning, form, isOpen, onOpen, actions } = props
  const path = `rules[${index}]`
  const name = rule.name.trim() || text.unnamed
  const mustOpen = form.hasProblemIn(path) || form.problemAt(path) !== undefined
  const isShown = isOpen || mustOpen
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const from = event.dataTransfer.getData(dragType)
    if (from !== '') actions.take(Number(from))
  }
  return (
    <li
      data-rule={rule.id}
      className={`rounded-control border ${isOver ? 'border-brand' : 'border-line'} ${rule.enabled ? '' : 'bg-raised'}`}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes(dragType)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <div className="flex items-start gap-1 p-2">
        <span
          draggable
          title={text.drag(name)}
          onDragStart={(event) => {
            event.dataTransfer.setData(dragType, String(index))
            event.dataTransfer.effectAllowed = 'move'
          }}
          className="hidden h-10 cursor-grab items-center text-soft sm:flex"
        >
          <GripVertical size={18} aria-hidden />
        </span>
        <RuleSentence {...{ rule, index, type, name, isShown }} onPress={() => onOpen(!isShown)} />
        <RowButtons {...props} name={name} />
      </div>
      {warning !== undefined && (
        <p className="flex gap-2 px-3 pb-2 text-sm text-warning">
          <TriangleAlert size={16} aria-hidden className="mt-0.5 shrink-0" />
          {warning}
        </p>
      )}
      {isShown && <RuleForm {...props} path={path} />}
    </li>
  )
}

type SentenceProps = Pick<Props, 'rule' | 'index' | 'type'> & {
  name: string
  isShown: boolean
  onPress: () => void
}

function RuleSentence({ rule, index, type, name, isShown, onPress }: SentenceProps) {
  return (
    <button
      type="button"
      aria-expanded={isShown}
      onClick={onPress}
      className="min-h-10 min-w-0 flex-1 cursor-pointer rounded-control px-1 py-0.5 text-start hover:bg-raised"
    >
      <span className="flex flex-wrap items-center gap-2 font-medium">
        <span className="wrap-anywhere">
          <span className="text-soft">{text.number(index + 1)}</span> {name}
        </span>
        {!rule.enabled && <Badge>{text.off}</Badge>}
      </span>
      <span className="block text-sm wrap-anywhere text-soft">
        {whenSentence(rule.when, valueNames)} {text.leadsTo}{' '}
        <span className="text-ink">{leadInWords(rule, type)}</span>
      </span>
    </button>
  )
}

function RuleForm({ rule, path, form, emptyData, renderContent, onOpen, actions }: Props & { path: string }) {
  return (
    <div className="grid gap-5 border-t border-line p-3">
      <Field
        label={text.form.name}
        hint={text.form.nameHint}
        autoComplete="off"
        maxLength={limits.ruleNameCharsMax}
        value={rule.name}
        problem={form.problemAt(`${path}.name`) ?? form.problemAt(path)}
        onChange={({ target }) => actions.change({ ...rule, name: target.value })}
        onBlur={() => form.onLeave(`${path}.name`)}
      />
      <ConditionsForm
        when={rule.when}
        path={`${path}.when`}
        form={form}
        onChange={(when) => actions.change({ ...rule, when })}
      />
      <RuleContent
        rule={rule}
        path={path}
        form={form}
        emptyData={emptyData}
        renderContent={renderContent}
        onChange={actions.change}
      />
      <div className="flex justify-end">
        <Button onClick={() => onOpen(false)}>{text.close}</Button>
      </div>
    </div>
  )
}

const dragType = 'application/x-everscan-rule'

function RowButtons({ rule, index, count, name, actions }: Props & { name: string }): ReactNode {
  return (
    <div className="flex shrink-0 max-sm:flex-col">
      <Checkbox
        label={text.enabled(name)}
        checked={rule.enabled}
        onChange={({ target }) => actions.change({ ...rule, enabled: target.checked })}
      />
      <Button
        look="quiet"
        className="px-2 max-sm:hidden"
        data-move="up"
        aria-label={text.up(name)}
        disabled={index === 0}
        onClick={() => actions.move(index - 1)}
      >
        <ChevronUp size={18} aria-hidden />
      </Button>
      <Button
        look="quiet"
        className="px-2 max-sm:hidden"
        data-move="down"
        aria-label={text.down(name)}
        disabled={index === count - 1}
        onClick={() => actions.move(index + 1)}
      >
        <ChevronDown size={18} aria-hidden />
      </Button>
      <Menu
        trigger={
          <button type="button" aria-label={text.actions(name)} className={iconButtonClass}>
            <Ellipsis size={18} aria-hidden />
          </button>
        }
      >
        <div className="sm:hidden">
          <MenuItem disabled={index === 0} onSelect={() => actions.move(index - 1)}>
            {text.up(name)}
          </MenuItem>
          <MenuItem disabled={index === count - 1} onSelect={() => actions.move(index + 1)}>
            {text.down(name)}
          </MenuItem>
        </div>
        <MenuItem disabled={count >= limits.rulesMax} onSelect={actions.duplicate}>
          {text.duplicate}
        </MenuItem>
        <MenuItem danger onSelect={actions.remove}>
          {text.delete}
        </MenuItem>
      </Menu>
    </div>
  )
}

/** Returns what a rule shows: where its content leads, or the shares of its versions. */
function leadInWords({ data, split }: DraftRule, type: QrCodeType): string {
  if (split === undefined) return leadOf({ type, data: data ?? {} })?.shown ?? text.nothingYet
  const shares = sharesOf(split.map(({ weight }) => weight))
  return split
    .map(({ name }, at) => text.sentence.arm(name, formatPercent(shares[at] ?? 0)))
    .join(text.sentence.list)
}
