import { fileURLToPath } from 'node:url'

const packedPackages = fileURLToPath(new URL('../../use-packed-packages.mjs', import.meta.url))

/**
 * Returns Node's arguments for a program that imports our sources. It loads them as a service does,
 * in a quarter of the processor time (measured): some tests start such a program for each kill.
 */
export function programArgs(program: string): string[] {
  return ['--import', packedPackages, '--input-type=module', '-e', program]
}
