/** Refusals of keys, sessions, roles, sign-in, second factors, links and passwords. */
export const accessProblems = {
  // Keys.
  apiKeyNotValid: 'The API key is missing or invalid. Send it in the header X-API-Key.',
  bearerNotValid:
    'The API key is missing or invalid. Send it as "Authorization: Bearer KEY" or in the header X-API-Key.',
  apiKeyRevoked: 'This API key has been revoked. Use another one.',
  apiKeyExpired: 'This API key has expired. Use another one.',
  apiKeyFromElsewhere: 'This API key is not accepted from your address, {address}.',
  apiKeysDiffer: 'Authorization and X-API-Key have different keys. Send one of them.',
  apiKeyWithSession: 'Send either an API key or a session cookie, not both.',
  apiKeyOfOtherOrganization: 'This API key does not belong to the organization in the path.',
  apiKeyOfOtherTarget: 'This API key does not belong to the organization that organizationId names.',
  targetMissing: 'is required with an API key, which fills its own organization',
  apiKeyRoleTooLow: 'This requires the role {needed}; the API key has {role}.',
  userRequired: 'An API key cannot do this: it requires a signed-in user.',

  // Sessions and members.
  notSignedIn: 'You are not signed in. Sign in first.',
  sessionUnknown: 'The session is unknown or has ended. Sign in again.',
  sessionEnded: 'Your session has ended.',
  accountGone: 'This account no longer exists.',
  notMember: 'You are not a member of the organization in the path.',
  notMemberOfTarget: 'You are not a member of the organization that organizationId names.',
  noSuchMembership: 'You are not a member of an organization with this id.',
  roleTooLow: 'This requires the role {needed}; you have {role}.',
  twoFactorOfOrganization:
    'This organization requires two-factor sign-in. Turn it on for your account first.',
  twoFactorOfOwnFirst:
    'Turn on two-factor sign-in for your own account first: you could not enter this organization without it.',
  changeFromOtherSite: 'A change with a session must come from a page of this site.',
  pageOfOtherSite: 'Pages of other sites cannot use this endpoint.',
  noSuchSession: 'Your account has no session with this id.',

  // Sign-in and second factors.
  emailOrPasswordWrong: 'The e-mail address or the password is wrong.',
  codeWrong: 'The code is wrong or was already used.',
  codeFieldWrong: 'is wrong or was already used',
  passkeyNotChecked: 'The passkey could not be checked, or took too long. Try again.',
  passkeyFieldNotChecked: 'could not be checked',
  passkeyUnknown:
    'This passkey is unknown here or could not be checked. Try again, or sign in with your password.',
  passkeyTooLate:
    'could not be checked, or took longer than {minutes} minutes: get new options and try again',
  passkeyKnown: 'This passkey was added before.',
  tooManyPasskeys: 'An account can have at most {max} passkeys. Remove one first.',
  noSuchPasskey: 'Your account has no passkey with this id.',
  authenticatorOn: 'Two-factor sign-in with an authenticator is already on.',
  authenticatorOff: 'Two-factor sign-in with an authenticator is off.',
  noSecondFactor: 'Your account has no second factor.',
  /** `fields` has names of fields, with commas between them. */
  confirmationRequired: ({ fields }: { fields: string }) =>
    `This requires a second factor: confirm your session with ${quoted(fields)} first.`,

  // Passwords and links.
  passwordWrong: 'The password is wrong.',
  currentPasswordWrong: 'is not the password of this account',
  passwordComesLater: 'must be left out: it is chosen with the link that is mailed',
  ownPasswordOfMember: 'Change your own password in your account, with the current one.',
  passwordOfMemberRefused: 'You cannot reset the password of this member; only the operator can.',
  resetTokenUnknown: 'This token is unknown, used or expired. Request a new link.',
  signUpTokenUnknown: 'This token is unknown or expired. Sign up again.',
  invitationTokenUnknown: 'This token is unknown, used or expired. Ask for a new invitation.',
  confirmationLinkUnknown:
    'This link has expired, or belongs to another account. Request a new one in your account.',
  emailConfirmedBefore: 'Your e-mail address is confirmed already.',
  signUpRefused: 'This installation does not allow sign-ups with this e-mail address. Ask for an invitation.',
  viewLocked: 'This view has a password. Send it to "unlock" first.',
  viewLinkUnknown: 'This link is unknown or has ended. Ask its owner for a new one.',
  mailLinkIncomplete: 'This link is incomplete. Open the one in the mail once more.',

  // Mails.
  noMails: 'This installation sends no mails.',
  mailsNotSetUp: 'This installation sends no mails. Its operator can set SMTP_URL.',
  viewWithoutMail: 'The view has no mail. Set one up first.',
  signUpMailsUsedUp: 'This installation reached the maximum of sign-ups by mail a day. Sign up tomorrow.',
  accountMailsUsedUp: 'You have reached the maximum of mails a day. Invite this person tomorrow.',
  installationMailsUsedUp:
    'This installation has reached the maximum of mails a day. Invite this person tomorrow.',

  // Rates.
  apiKeyTooFast: 'This API key may make at most {max} requests per minute. Try again in {seconds} s.',
  accountTooFast: 'Your account may make at most {max} requests per minute. Try again in {seconds} s.',
  networkTooFast: 'Your network may make at most {max} requests per minute. Try again in {seconds} s.',
  viewTooFast: 'Too many people read this view right now. Try again soon.',
  tooManyAnswers: 'Too many answers. Try again soon.',
} as const

function quoted(fields: string): string {
  return fields
    .split(', ')
    .map((field) => `"${field}"`)
    .join(' or ')
}
