import { limits } from '../../schema/limits.ts'

/** For the description of each endpoint that calls `requireConfirmation`. */
export const confirmationNote = `On an account with a second factor, 403 CONFIRMATION_REQUIRED unless the session showed one in the last ${limits.confirmationMinutes} minutes: at its sign-in, or with \`POST /users/me/confirmation\`.`
