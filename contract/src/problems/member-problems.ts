/** Problems of members, invitations, accounts and their passwords. */
export const memberProblems = {
  tooFewDifferentCharacters: 'must have at least {min} different characters',
  passwordOfOwnWord: 'must not be made of "{word}", which others can guess',
  passwordCommon: 'must not be one of the most common passwords',

  requiredForNewAccount: 'is required, as this e-mail address has no account',
  requiredForAccount: 'is required, as this e-mail address has an account already',
  leftOutForAccount: 'must be left out, as this e-mail address has an account already',
  notPasswordOfAccount: 'is not the password of the account with this e-mail address',
  accountChangedMeanwhile:
    'The account with this e-mail address was created or confirmed just now. Try again.',
  addressHasAccount: 'This e-mail address already has an account. Sign in.',
  invitationAccepted: 'This invitation was already accepted. Remove the member instead.',
  memberAlready: 'The account with this e-mail address is already a member.',
  onlyAdmin: 'This member is the only ADMIN of the organization. Make another member ADMIN first.',

  /** `fields` has names of fields in quotes, with "or" between them. */
  secondFactorMissing: 'This account uses two-factor sign-in: send {fields} too.',
  notRecoveryCode: 'must be a recovery code that was not used yet',
  notPasskeyAnswer: 'must be the answer of a passkey to "options"',
  passkeysNotHere:
    'Passkeys do not work here: PUBLIC_URL must be https with a host name, such as https://qr.example.com.',
} as const
