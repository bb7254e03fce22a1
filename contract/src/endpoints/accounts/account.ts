import { User, UpdateUser, ChangePassword } from '../../resources/users.ts'
import { confirmationNote } from './confirmation-note.ts'
import { SignedIn } from '../../resources/sessions.ts'
import { endpoint } from '../endpoint.ts'

const tag = 'Signing in'

export const account = {
  read: endpoint({
    id: 'readMe',
    call: 'me.read',
    method: 'GET',
    path: '/users/me',
    role: 'session',
    tag,
    summary: 'Read the signed-in account.',
    status: 200,
    response: User,
  }),

  update: endpoint({
    id: 'updateMe',
    call: 'me.update',
    method: 'PUT',
    path: '/users/me',
    role: 'session',
    tag,
    summary: 'Change the name of the signed-in account, or the language of its mails.',
    body: UpdateUser,
    status: 200,
    response: User,
  }),

  changePassword: endpoint({
    id: 'changePassword',
    call: 'me.changePassword',
    method: 'POST',
    interactive: true,
    path: '/users/me/password',
    role: 'session',
    tag,
    summary: 'Change the password of the signed-in account.',
    description: `All sessions of the account end, and the caller gets a new one. API keys stay valid. ${confirmationNote}`,
    body: ChangePassword,
    status: 200,
    response: SignedIn,
    responseHeaders: { 'Set-Cookie': 'The cookie of the new session, and that of a known device.' },
  }),
}
