import type { installationProblems as english } from '@everscan/contract/problems/installation-problems.ts'
import type { ProblemWords } from '../problem-wording.ts'
import { byMachines } from '../values.ts'

/** French. */
export const installationProblems = {
  settingDiffers: ({ setting, settings, machines }) =>
    differing(
      setting,
      byMachines(settings, machines).map(([value, on]) => `${value} sur ${on}`),
    ),
  secretDiffers: ({ setting, settings, machines }) =>
    differing(
      setting,
      byMachines(settings, machines).map(([value, on]) => `empreinte ${value} sur ${on}`),
    ),
} as const satisfies ProblemWords<typeof english>

const differing = (setting: string, parts: readonly string[]) =>
  `Le réglage ${setting} diffère entre les machines : ${parts.join(', ')}. Donnez à toutes la même valeur.`
