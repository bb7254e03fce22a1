import type { RulesReplay } from '@everscan/contract/rules/rule-trials.ts'
import type { RuleInput } from '@everscan/contract/rules/rules.ts'
import { useMutation } from '@tanstack/react-query'
import { api } from '../session/api.ts'
import { Button } from '../ui/button.tsx'
import { formatNumber, formatPercent } from '../ui/format.ts'
import { problemText } from '../ui/problems.ts'
import { Notice } from '../ui/surfaces.tsx'
import { rulesWords } from '../words/rules-words.ts'
import { conditionInWords } from './condition-words.ts'
import { commonWords } from '../words/common-words.ts'

const text = rulesWords.replay

/** Tells how the scans of the last 30 days would have been divided by the rules of the form. */
export function ReplayPanel({
  orgId,
  codeId,
  rules,
}: {
  orgId: string
  codeId: string
  rules: () => RuleInput[]
}) {
  const replay = useMutation({
    mutationFn: async () => {
      const asked = rules()
      return {
        asked: JSON.stringify(asked),
        result: await api.qrCodes.replayRules(orgId, codeId, { rules: asked }),
      }
    },
  })
  // A result of other rules would mislead.
  const result = replay.data?.asked === JSON.stringify(rules()) ? replay.data.result : undefined
  return (
    <div className="grid gap-3">
      <p className="text-sm text-soft">{text.text}</p>
      <div>
        <Button busy={replay.isPending} onClick={() => replay.mutate()}>
          {text.run}
        </Button>
      </div>
      {replay.isError && <Notice kind="problem">{problemText(replay.error)}</Notice>}
      {result !== undefined && (
        <div role="status" className="grid gap-3">
          {result.scans === 0 ? <p className="text-sm">{text.none}</p> : <Result result={result} />}
        </div>
      )}
    </div>
  )
}

type Line = { key: string; name: string; was: number; would: number }

function Result({ result }: { result: RulesReplay }) {
  const { scans, changed, undecided } = result
  const cell = (count: number) => `${formatNumber(count)} (${formatPercent((count / scans) * 100)})`
  return (
    <>
      <p className="text-sm font-medium">
        {text.changed(changed, formatNumber(changed), formatNumber(scans))}
      </p>
      <table className="w-full text-sm">
        <caption className="sr-only">{text.caption}</caption>
        <thead className="text-soft">
          <tr>
            <th scope="col" className="py-1 text-start font-normal">
              {text.rule}
            </th>
            <th scope="col" className="py-1 text-end font-normal">
              {text.was}
            </th>
            <th scope="col" className="py-1 ps-3 text-end font-normal">
              {text.would}
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {linesOf(result).map(({ key, name, was, would }) => (
            <tr key={key}>
              <th scope="row" className="py-1.5 text-start font-normal wrap-anywhere">
                {name}
              </th>
              <td className="py-1.5 text-end tabular-nums">{cell(was)}</td>
              <td className="py-1.5 ps-3 text-end tabular-nums">{cell(would)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {undecided.scans > 0 && (
        <p className="text-sm text-soft">
          {text.undecided(
            formatNumber(undecided.scans),
            undecided.conditions.map(conditionInWords).join(', '),
          )}
        </p>
      )}
    </>
  )
}

/** Puts what was beside what would be: rules in their order, then those that are gone. */
function linesOf({ recorded, replayed }: RulesReplay): Line[] {
  const lines = new Map<string, Line>(
    replayed.map((one) => [keyOf(one), { key: keyOf(one), name: nameOf(one), was: 0, would: one.scans }]),
  )
  for (const one of recorded) {
    const line = lines.get(keyOf(one))
    if (line === undefined)
      lines.set(keyOf(one), { key: keyOf(one), name: nameOf(one), was: one.scans, would: 0 })
    else line.was += one.scans
  }
  return [...lines.values()]
}

type Recorded = RulesReplay['recorded'][number]
const keyOf = ({ ruleId, index, arm }: Recorded) =>
  [index ?? (ruleId === null ? 'own' : ruleId), arm ?? ''].join(' ')
const nameOf = ({ name, arm, ruleId }: Recorded) => {
  const rule = name ?? (ruleId === null ? rulesWords.everyoneElse : text.gone)
  return arm === null ? rule : `${rule}${commonWords.colon} ${arm}`
}
