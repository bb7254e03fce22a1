import type { installationProblems as english } from '@everscan/contract/problems/installation-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'
import { byMachines } from '../values.ts'

/** German. */
export const installationProblems = {
  settingDiffers: ({ setting, settings, machines }) =>
    differing(
      setting,
      byMachines(settings, machines).map(([value, on]) => `${value} auf ${on}`),
    ),
  secretDiffers: ({ setting, settings, machines }) =>
    differing(
      setting,
      byMachines(settings, machines).map(([value, on]) => `Fingerabdruck ${value} auf ${on}`),
    ),
} as const satisfies ProblemWords<typeof english>

const differing = (setting: string, parts: readonly string[]) =>
  `Die Einstellung ${setting} ist auf den Rechnern verschieden: ${parts.join(', ')}. Geben Sie allen denselben Wert.`
