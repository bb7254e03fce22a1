import { checkGroups } from '../doctor/checks.ts'
import { openContext } from '../doctor/context.ts'
import { reportOf, reportText } from '../doctor/report.ts'
import { runChecks } from '../doctor/run-checks.ts'
import { createLog } from '../log.ts'
import { closeWithin } from './close-within.ts'
import type { Action } from './command.ts'

export const doctorActions: readonly Action[] = [
  {
    words: 'doctor',
    summary: 'Look at everything that can go wrong, and say what mends it',
    details: [
      'Works while the service runs and while it does not, and then says which checks need it. Run it with the settings of the service and as its',
      'user. It changes nothing without --fix; a check that takes more than 10 s is given up. Exit status: 1 when something failed.',
    ],
    options: [
      { name: 'all', meaning: 'Tell also what is fine, check by check.' },
      {
        name: 'fix',
        meaning:
          'Do what is safe: close the rights of DATA_DIR and of files with secrets, remove what was left behind, analyze.',
      },
    ],
    examples: [
      { command: './everscan doctor', does: 'what needs a look' },
      { command: './everscan doctor --fix --all', does: 'mend what is safe to mend, and tell everything' },
      {
        command: `./everscan doctor --json | jq '.checks[] | select(.state == "failed")'`,
        does: 'in a script',
      },
    ],
    run: async ({ input, readConfig, loadParts, isTerminal, progress, nowMs }) => {
      const log = createLog({ level: 'silent', role: 'command' }, process.stderr)
      const context = openContext(readConfig(), { parts: await loadParts(), log, nowMs })
      try {
        const results = await runChecks(context, checkGroups, {
          fix: input.flag('fix'),
          onBegin: (title) => progress(`${title} …`),
        })
        const report = reportOf(results, nowMs)
        return {
          text: reportText(report, { all: input.flag('all'), isTerminal }),
          json: report,
          ...(report.summary.failed > 0 && { failed: true }),
        }
      } finally {
        progress('')
        await closeWithin(context)
      }
    },
  },
]
