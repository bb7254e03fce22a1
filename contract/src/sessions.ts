import { Type, type Static } from 'typebox'
import { Timestamp, strictObject } from './common.ts'
import { limits } from './limits.ts'
import { Organization } from './organizations.ts'
import { EmailAddress, User } from './users.ts'

/** The body that signs a person in to the dashboard. */
export const CreateSession = strictObject({
  email: EmailAddress,
  password: Type.String({ description: 'Password.', minLength: 1, maxLength: limits.passwordCharsMax }),
})
export type CreateSession = Static<typeof CreateSession>

/** A dashboard session: its token is in an HttpOnly cookie, never in a body. */
export const Session = strictObject({
  user: User,
  organizations: Type.Array(Organization),
  csrfToken: Type.String({ description: 'To be sent back as X-CSRF-Token with every change.' }),
  expiresAt: Timestamp('When the session ends.'),
})
export type Session = Static<typeof Session>
