type Differing = { readonly setting: string; readonly settings: string; readonly machines: string }

/** Problems of the machines and copies of an installation. */
export const installationProblems = {
  /** `settings` has a value a line, `machines` a machine that has it. */
  settingDiffers: ({ setting, settings, machines }: Differing) => differing(setting, { settings, machines }),
  /** `settings` has a fingerprint a line. */
  secretDiffers: ({ setting, settings, machines }: Differing) =>
    differing(setting, { settings: settings.replaceAll(/^/gm, 'fingerprint '), machines }),
} as const

function differing(setting: string, { settings, machines }: Omit<Differing, 'setting'>): string {
  const names = machines.split('\n')
  const parts = settings.split('\n').map((value, at) => `${value} on ${names[at]}`)
  return `${setting} differs between machines: ${parts.join(', ')}. Give all of them one value.`
}
