import { rulesWords } from '../words/rules-words.ts'
import { newRuleId, type DraftRule, type RuleData } from './rule-drafts.ts'

export const templateNames = ['hours', 'language', 'device', 'split', 'blank'] as const
export type TemplateName = (typeof templateNames)[number]

const { newNames } = rulesWords

/** The time zone of this device, which is mostly that of the shop. */
export const ownTimeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/**
 * Returns the rules of a template. `emptyData` is the content of a new code, `ownData` that of this
 * code, with which one version of a test begins.
 */
export function rulesOfTemplate(
  name: TemplateName,
  { emptyData, ownData }: { emptyData: RuleData; ownData: RuleData },
): DraftRule[] {
  const rule = (label: string, when: DraftRule['when']): DraftRule => ({
    id: newRuleId(),
    name: label,
    enabled: true,
    when,
    data: emptyData,
  })
  switch (name) {
    case 'hours':
      return [
        rule(newNames.hours, {
          days: ['MO', 'TU', 'WE', 'TH', 'FR'],
          from: '11:00',
          to: '15:00',
          timeZone: ownTimeZone(),
        }),
      ]
    case 'language':
      return [rule(newNames.language, { languages: ['de'] })]
    case 'device':
      return [rule(newNames.ios, { os: ['iOS'] }), rule(newNames.android, { os: ['Android'] })]
    case 'split': {
      const { data: _data, ...rest } = rule(newNames.split, {})
      const arms = [
        { name: 'A', weight: 50, data: ownData },
        { name: 'B', weight: 50, data: emptyData },
      ]
      return [{ ...rest, split: arms }]
    }
    case 'blank':
      return [rule(newNames.blank, {})]
    default:
      return name satisfies never
  }
}
