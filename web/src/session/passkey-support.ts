import { problemText } from '../ui/problems.ts'

// The part of passkeys that the first page needs. The rest is loaded with the first use.

/** Whether this browser can use passkeys. It has none on pages without https. */
export const browserHasPasskeys = () => 'PublicKeyCredential' in globalThis

/** A passkey that was not created or not used. `message` is for the user. */
export class PasskeyError extends Error {}

/** Returns the failure of a form with a passkey, in words for the user. */
export function passkeyProblem(error: unknown): string {
  return error instanceof PasskeyError ? error.message : problemText(error)
}
