import { limits } from '@everscan/contract/schema/limits.ts'
import { joinPath } from '@everscan/contract/schema/paths.ts'
import { Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { formatPercent } from '../ui/format.ts'
import { Options } from '../ui/options.tsx'
import { rulesWords } from '../words/rules-words.ts'
import type { DraftArm, DraftRule, RuleData } from './rule-drafts.ts'
import type { RulePaths } from './rule-paths.ts'
import { sharesOf } from './rule-sentences.ts'

const text = rulesWords.form

/** Shows the form of content, which is that of the type of the code. */
export type RenderContent = (content: {
  data: RuleData
  path: string
  onChange: (data: RuleData) => void
}) => ReactNode

type Props = {
  rule: DraftRule
  path: string
  form: RulePaths
  emptyData: RuleData
  renderContent: RenderContent
  onChange: (rule: DraftRule) => void
}

/** Edits what a rule shows: one content, or versions among which it divides visitors. */
export function RuleContent({ rule, path, form, emptyData, renderContent, onChange }: Props) {
  const { data, split, ...rest } = rule
  const setSplit = (arms: readonly DraftArm[]) => onChange({ ...rest, split: arms })
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="mb-1 text-sm font-semibold">{text.show}</legend>
      <Options
        legend={text.showLegend}
        legendHidden
        value={split === undefined ? 'one' : 'split'}
        options={[
          ['one', text.shows.one],
          ['split', text.shows.split],
        ]}
        onChoose={(way) => {
          if (way === 'one') onChange({ ...rest, data: data ?? split?.[0]?.data ?? emptyData })
          else if (split === undefined)
            setSplit([
              { name: 'A', weight: 50, data: data ?? emptyData },
              { name: 'B', weight: 50, data: emptyData },
            ])
        }}
      />
      {split === undefined ? (
        renderContent({
          data: data ?? emptyData,
          path: joinPath(path, 'data'),
          onChange: (next) => onChange({ ...rest, data: next }),
        })
      ) : (
        <Arms
          arms={split}
          path={joinPath(path, 'split')}
          form={form}
          emptyData={emptyData}
          renderContent={renderContent}
          onChange={setSplit}
        />
      )}
    </fieldset>
  )
}

function Arms({
  arms,
  path,
  form,
  emptyData,
  renderContent,
  onChange,
}: Omit<Props, 'rule' | 'onChange'> & {
  arms: readonly DraftArm[]
  onChange: (arms: readonly DraftArm[]) => void
}) {
  const shares = sharesOf(arms.map(({ weight }) => weight))
  return (
    <>
      <p className="text-sm text-soft">{text.splitHint}</p>
      {arms.map((arm, at) => (
        <ArmFields
          // Names are what is edited, so the place is the key.
          // oxlint-disable-next-line no-array-index-key
          key={at}
          arm={arm}
          at={at}
          share={shares[at] ?? 0}
          path={joinPath(path, at)}
          form={form}
          renderContent={renderContent}
          onChange={(changes) => onChange(arms.with(at, { ...arm, ...changes }))}
          onRemove={arms.length <= limits.ruleArmsMin ? undefined : () => onChange(arms.toSpliced(at, 1))}
        />
      ))}
      <div>
        <Button
          disabled={arms.length >= limits.ruleArmsMax}
          onClick={() => onChange([...arms, { name: freeName(arms), weight: 50, data: emptyData }])}
        >
          <Plus size={16} aria-hidden />
          {text.addArm}
        </Button>
      </div>
    </>
  )
}

type ArmProps = Pick<Props, 'path' | 'form' | 'renderContent'> & {
  arm: DraftArm
  at: number
  share: number
  onChange: (changes: Partial<DraftArm>) => void
  /** Undefined: there must be as many versions. */
  onRemove: (() => void) | undefined
}

/** Edits a version: its name, its weight and its content. */
function ArmFields({ arm, at, share, path, form, renderContent, onChange, onRemove }: ArmProps) {
  const field = (name: 'name' | 'weight') => ({
    problem: form.problemAt(joinPath(path, name)),
    onBlur: () => form.onLeave(joinPath(path, name)),
  })
  return (
    <fieldset className="grid min-w-0 gap-3 rounded-control border border-line p-3">
      <legend className="sr-only">{text.arm(at + 1)}</legend>
      <div className="flex items-start gap-2">
        <div className="grid flex-1 gap-3 sm:grid-cols-[1fr_9rem]">
          <Field
            label={text.armName}
            autoComplete="off"
            maxLength={limits.ruleArmNameCharsMax}
            value={arm.name}
            {...field('name')}
            onChange={({ target }) => onChange({ name: target.value })}
          />
          <Field
            label={text.weight}
            type="number"
            min={1}
            max={limits.ruleWeightMax}
            value={Number.isNaN(arm.weight) ? '' : arm.weight}
            hint={text.share(formatPercent(share))}
            {...field('weight')}
            onChange={({ target }) => onChange({ weight: target.valueAsNumber })}
          />
        </div>
        <Button
          look="quiet"
          className="mt-6 px-2"
          aria-label={text.removeArm(arm.name)}
          disabled={onRemove === undefined}
          onClick={() => onRemove?.()}
        >
          <X size={18} aria-hidden />
        </Button>
      </div>
      {renderContent({
        data: arm.data,
        path: joinPath(path, 'data'),
        onChange: (data) => onChange({ data }),
      })}
    </fieldset>
  )
}

/** Returns the first letter that names no version. */
function freeName(arms: readonly DraftArm[]): string {
  const used = new Set(arms.map(({ name }) => name))
  return Array.from('ABCDEFGHIJ').find((letter) => !used.has(letter)) ?? ''
}
