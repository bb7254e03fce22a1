import { FatalError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { judgePart, type Part } from '../../problems/parts.ts'
import type { Facts } from '../../problems/facts.ts'
import type { Role } from '../messages.ts'
import { rolesWithout, type FailedPackage } from './native-packages.ts'

/** The part of `/readyz` that tells which package does not run here. */
export const packagesPart = 'nativePackages'

/** Returns the part for packages that do not work on this machine. */
export function judgePackages(failed: readonly FailedPackage[]): Part {
  const factsFor = (role: Role): Facts['nativePackages']['ofApi'] => {
    const found = failed.find((one) => rolesWithout([one]).has(role))
    return found && { package: found.name, needs: found.needs, reason: found.reason }
  }
  return judgePart(packagesPart, { ofApi: factsFor('api'), ofEngine: factsFor('engine') })
}

/**
 * Returns the processes that cannot run on this machine, and the parts of `/readyz` that say why.
 * Throws a FatalError if none can.
 */
export function tellFailed(
  failed: readonly FailedPackage[],
  log: Log,
): { roles: ReadonlySet<Role>; parts: readonly Part[] } {
  const roles = rolesWithout(failed)
  const [first] = failed
  if (first === undefined) return { roles, parts: [] }
  if (roles.has('front'))
    throw new FatalError(
      `${first.name} needs ${first.needs} and does not run on this machine (${first.reason}): without it, nothing of the service does. Move to another machine.`,
    )
  const part = judgePackages(failed)
  log.error({ failed }, part.detail)
  return { roles, parts: [part] }
}
