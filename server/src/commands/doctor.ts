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
    summary: 'Check everything that can go wrong, and say how to fix it',
    details: [
      'Works whether or not the service runs, and names the checks that need it. Run it with the settings of the service and as its',
      'user. Without --fix it changes nothing. A check stops after 10 s. Exit status: 1 if a check failed.',
    ],
    options: [
      { name: 'all', meaning: 'List every check, also those that passed.' },
      {
        name: 'fix',
        meaning:
          'Apply safe fixes: restrict the permissions of DATA_DIR and of files with secrets, remove leftover files, analyze.',
      },
    ],
    examples: [
      { command: './everscan doctor', does: 'show the problems' },
      { command: './everscan doctor --fix --all', does: 'apply safe fixes, and list every check' },
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
