/** Problems of organizations, people and machines that have as much as they may have. */
export const limitProblems = {
  stylesFull: 'The organization has {max} styles, which is the maximum. Delete one first.',
  utmTemplatesFull: 'The organization has {max} UTM templates, which is the maximum. Delete one first.',
  viewsFull: 'The organization has {max} views, which is the maximum. Delete one first.',
  domainsFull: 'The organization has {max} domains, which is the maximum. Delete one first.',
  unprovedDomainsFull:
    'The organization has {max} domains that are not proved, which is the maximum. Prove or delete one first.',
  apiKeysFull:
    'An organization may have at most {max} API keys that are neither revoked nor expired, and this one has {count}. Revoke one first.',
  openImportsFull:
    'An organization may have at most {max} imports that have not ended. Wait for one to end, or cancel one.',
  ownOrganizationsFull:
    'You can be ADMIN of at most {max} organizations, and you already are in {count}. Leave one first.',

  tooManyFailedAttempts: 'Too many failed attempts. Try again in {seconds} s.',
  tooManyUnknownKeys: 'Your network sent {count} unknown API keys within a minute. Try again in {seconds} s.',
  tooManySignIns: 'Too many people are signing in right now. Try again in a moment.',
  tooManyFilesRead: 'Too many files are being read right now. Try again in a moment.',
  tooManySharedViews: 'Too many shared views are open right now. Try again soon.',

  // `places` is what is open at once: downloads, uploads or streams of events.
  placesOfKeyTaken:
    'This API key has {count} {places} open, its maximum. Wait for one to end, or try again later.',
  placesOfSessionTaken:
    'This session has {count} {places} open, its maximum. Wait for one to end, or try again later.',
  placesOfKeyOwnerTaken:
    'The account that created this API key has {count} {places} open in all of its organizations and keys together, its maximum. Wait for one to end, or try again later.',
  placesOfAccountTaken:
    'Your account has {count} {places} open in all of its organizations and keys together, its maximum. Wait for one to end, or try again later.',
  placesOfOrganizationTaken:
    'This organization has {count} {places} open, its maximum. Wait for one to end, or try again later.',
  placesOfServiceTaken:
    'All {count} {places} of this service are in use. Wait for one to end, or try again later.',
  fairShareTaken:
    'Nearly all {places} of this service are in use, and this organization has its fair share of them, {count}. Wait for one to end, or try again later.',
  webhooksFull: 'The organization has {max} webhooks, which is the maximum. Delete one first.',
} as const
