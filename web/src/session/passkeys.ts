import type {
  PasskeyAssertion,
  PasskeyCreationOptions,
  PasskeyRegistration,
  PasskeyRequestOptions,
} from '@everscan/client/create-client.ts'
import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { passkeysWords } from '../words/passkeys-words.ts'
import { PasskeyError } from './passkey-support.ts'

// Imported with the first use of a passkey, because of its library.

const text = passkeysWords

/** Asks the browser to create a passkey. It opens a window of its own. */
export async function createPasskey(
  options: PasskeyCreationOptions,
): Promise<PasskeyRegistration & { isElsewhere: boolean }> {
  try {
    const { id, rawId, type, response, authenticatorAttachment } = await startRegistration({
      optionsJSON: options,
    })
    const { clientDataJSON, attestationObject, transports } = response
    return {
      id,
      rawId,
      type,
      response: { clientDataJSON, attestationObject, ...(transports !== undefined && { transports }) },
      isElsewhere: authenticatorAttachment === 'cross-platform',
    }
  } catch (error) {
    throw new PasskeyError(explain(error, options.rp.id), { cause: error })
  }
}

/** Asks the browser for the answer of a passkey. It opens a window of its own. */
export async function answerWithPasskey(options: PasskeyRequestOptions): Promise<PasskeyAssertion> {
  try {
    const { id, rawId, type, response } = await startAuthentication({ optionsJSON: options })
    const { clientDataJSON, authenticatorData, signature } = response
    return { id, rawId, type, response: { clientDataJSON, authenticatorData, signature } }
  } catch (error) {
    throw new PasskeyError(explain(error, options.rpId), { cause: error })
  }
}

/** Browsers say little, so that sites cannot find out what a user has. */
function explain(error: unknown, host: string): string {
  switch (error instanceof Error ? error.name : '') {
    case 'NotAllowedError':
    case 'AbortError':
      return text.cancelled
    case 'InvalidStateError':
      return text.alreadyThere
    case 'SecurityError':
      return text.wrongAddress(host)
    case 'NotSupportedError':
    case 'ConstraintError':
      return text.unsuitable
    default:
      return text.failed
  }
}
