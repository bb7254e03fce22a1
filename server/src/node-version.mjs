// Plain JavaScript without new syntax: it is read by whatever Node the machine has.

/** Type stripping, argon2id and the compile cache of TypeScript need this one. */
export const nodeVersionMin = [24, 7]

/** Whether a version, such as `v24.21.0`, is too old. */
export function isOldNode(version) {
  const parts = version.replace('v', '').split('.').map(Number)
  return parts[0] < nodeVersionMin[0] || (parts[0] === nodeVersionMin[0] && parts[1] < nodeVersionMin[1])
}
