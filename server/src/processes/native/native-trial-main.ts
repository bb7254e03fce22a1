// Uses the native packages that its command line names, one after the other, and tells `main`
// which one it begins and how it ended. A processor that lacks an instruction ends this process.
import process from 'node:process'
import { errorMessage } from '../../errors.ts'
import { nativeTrials, type NativeName } from './native-trials.ts'

/** `reason` is undefined if the package works. */
export type TriedPackage = { name: string; reason: string | undefined }

for (const name of process.argv.slice(2)) {
  const reason = await nativeTrials[name as NativeName]().then(() => undefined, errorMessage)
  await new Promise((resolve) => process.send?.({ name, reason } satisfies TriedPackage, resolve))
}
process.disconnect()
