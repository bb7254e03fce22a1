import { fileURLToPath } from 'node:url'

const sourceHook = fileURLToPath(new URL('../../loading/resolve-sources.mjs', import.meta.url))

/**
 * Returns Node's arguments for a program that imports our sources. It loads packages from the
 * bundle, in half of the processor time (measured): some tests start such a program for each kill.
 */
export function programArgs(program: string): string[] {
  return ['--import', sourceHook, '--input-type=module', '-e', program]
}
