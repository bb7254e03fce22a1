import { commonWords } from './common-words.ts'
import { passkeysWords } from './passkeys-words.ts'
import { serviceWords } from './service-words.ts'
import {
  confirmationWords,
  emailConfirmationWords,
  endedSessionWords,
  newPasswordWords,
  secondFactorWords,
  signInWords,
  signUpWords,
} from './sign-in-words.ts'
import type { StartCatalogue } from '../catalogue.ts'

/** Words before sign-in, in French. */
export const frenchStart: StartCatalogue = {
  commonWords,
  passkeysWords,
  confirmationWords,
  emailConfirmationWords,
  endedSessionWords,
  newPasswordWords,
  secondFactorWords,
  signInWords,
  signUpWords,
  serviceWords,
}
