// Plain JavaScript without new syntax: any Node of the machine may read it.

/** Type stripping, argon2id and the compile cache of TypeScript need this version. */
export const nodeVersionMin = [24, 7]

/** Whether a version, such as `v24.21.0`, is too old. */
export function isOldNode(version) {
  const parts = version.replace('v', '').split('.').map(Number)
  return parts[0] < nodeVersionMin[0] || (parts[0] === nodeVersionMin[0] && parts[1] < nodeVersionMin[1])
}
