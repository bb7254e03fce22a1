import { openContext } from '../doctor/context.ts'
import { planUpgrade, type UpgradePlan } from '../doctor/upgrade-plan.ts'
import { createLog } from '../log.ts'
import { UsageError, type Action } from './command.ts'
import { closeWithin } from './close-within.ts'

/** Actions that show what the next start of this release changes. */
export const upgradeActions: readonly Action[] = [
  {
    words: 'upgrade',
    summary: 'Show what the next start of this release would upgrade, and whether it would be refused',
    details: [
      'Only reads: the start itself upgrades. Run it from the new release, with the settings of the service, while the old release runs.',
      'Times are estimates. Exit status: 0 the start works, 1 it would be refused.',
    ],
    options: [
      { name: 'check', meaning: 'Check, and change nothing. Required: the command does nothing else yet.' },
    ],
    examples: [
      {
        command: './everscan upgrade --check',
        does: 'from the new release, before the service is restarted with it',
      },
    ],
    run: async ({ input, readConfig, loadParts, nowMs }) => {
      if (!input.flag('check'))
        throw new UsageError(
          'a start upgrades by itself: "--check" shows what it would do.',
          'everscan upgrade --check',
        )
      const log = createLog({ level: 'silent', role: 'command' }, process.stderr)
      const context = openContext(readConfig(), { parts: await loadParts(), log, nowMs })
      try {
        const plan = await planUpgrade(context)
        return { text: planText(plan), json: plan, ...(plan.refusals.length > 0 && { failed: true }) }
      } finally {
        await closeWithin(context)
      }
    },
  },
]

function planText({ catalogue, scanStore, refusals }: UpgradePlan): string {
  const works = scanStore.isKnown ? 'The start works.' : 'As far as can be seen, the start works.'
  const end =
    refusals.length === 0
      ? [works]
      : ['The start would be refused:', ...refusals.map((refusal) => `  ${refusal}`)]
  return [`Catalogue: ${catalogue.says}.`, `Scan store: ${scanStore.says}.`, '', ...end].join('\n')
}
