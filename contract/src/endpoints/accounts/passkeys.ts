import { limits } from '../../schema/limits.ts'
import { confirmationNote } from './confirmation-note.ts'
import {
  BeginPasskey,
  PasskeyCreationOptions,
  AddPasskey,
  AddedPasskey,
  PasskeyPage,
  RenamePasskey,
  Passkey,
  RemovePasskey,
} from '../../resources/passkeys.ts'
import { PageQuery } from '../../schema/pages.ts'
import { AccountRecordParams, Deleted } from '../../schema/common.ts'
import { endpoint } from '../endpoint.ts'

const tag = 'Signing in'
const collection = '/users/me/passkeys'

export const passkeys = {
  begin: endpoint({
    id: 'beginPasskey',
    call: 'me.beginPasskey',
    method: 'POST',
    interactive: true,
    path: `${collection}/options`,
    role: 'session',
    tag,
    summary: 'Get the options for adding a passkey.',
    description: `They are for the session of this request. 409 if the account has ${limits.passkeysMax} passkeys already; 403 if browsers do not allow passkeys at PUBLIC_URL. ${confirmationNote}`,
    body: BeginPasskey,
    status: 200,
    response: PasskeyCreationOptions,
    errors: [409],
  }),

  add: endpoint({
    id: 'addPasskey',
    call: 'me.addPasskey',
    method: 'POST',
    interactive: true,
    path: collection,
    role: 'session',
    tag,
    summary: 'Add a passkey to the signed-in account.',
    description: `Requires what the browser returned for the options. From now on, sign-in with the password also requires a second factor. Only this response contains the recovery codes. 409 if an account has this passkey already. ${confirmationNote}`,
    body: AddPasskey,
    status: 201,
    response: AddedPasskey,
    errors: [409],
  }),

  list: endpoint({
    id: 'listPasskeys',
    call: 'me.passkeys',
    method: 'GET',
    path: collection,
    role: 'session',
    tag,
    summary: 'List the passkeys of the signed-in account, oldest first.',
    query: PageQuery,
    status: 200,
    response: PasskeyPage,
  }),

  rename: endpoint({
    id: 'renamePasskey',
    call: 'me.renamePasskey',
    method: 'PUT',
    path: `${collection}/:id`,
    role: 'session',
    tag,
    summary: 'Rename a passkey of the signed-in account.',
    params: AccountRecordParams,
    body: RenamePasskey,
    status: 200,
    response: Passkey,
  }),

  remove: endpoint({
    id: 'removePasskey',
    call: 'me.removePasskey',
    method: 'DELETE',
    repeatable: false,
    interactive: true,
    path: `${collection}/:id`,
    role: 'session',
    tag,
    summary: 'Remove a passkey of the signed-in account.',
    description: `With the last second factor, the recovery codes become invalid, too. ${confirmationNote}`,
    params: AccountRecordParams,
    body: RemovePasskey,
    status: 200,
    response: Deleted,
  }),
}
