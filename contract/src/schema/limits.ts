/**
 * Every limit of the interface, in one place: the schemas, the server and the dashboard read them here.
 * Source: sections 1, 4, 7 and 8 of the specification's decisions; figures without a source are ours.
 */
export const limits = {
  pageDefault: 1,
  pageLimitDefault: 20,
  pageLimitMax: 100,
  /** A page past the end is empty, not an error; this only keeps the offset a safe integer. */
  pageMax: 1_000_000_000,

  nameCharsMax: 200,
  descriptionCharsMax: 500,
  textCharsMax: 2_000,
  searchCharsMax: 200,
  urlCharsMax: 2_048,
  /** Of a URL once it is percent-encoded for a `Location` header; common proxies refuse longer heads. */
  urlEncodedCharsMax: 8_192,
  emailCharsMax: 254,
  phoneCharsMax: 50,

  tagsMax: 50,
  tagCharsMax: 50,
  metadataKeysMax: 50,
  metadataKeyCharsMax: 50,
  metadataValueCharsMax: 500,

  /** Versions of a code that are kept, the newest ones. */
  historyVersionsMax: 1_000,
  /** Of the program that asked, as the audit log keeps it. */
  userAgentCharsMax: 512,

  shortCodeCharsMin: 4,
  shortCodeCharsMax: 32,
  shortCodeCharsMade: 7,

  menuSectionsMax: 50,
  menuItemsMax: 200,
  socialLinksMax: 50,

  stylesMax: 200,
  /** 1 MiB in base64, and what stands before it; of an organization's logo, too. */
  styleLogoCharsMax: 1_398_200,
  frameTextCharsMax: 40,

  bodyBytesMax: 2 * 1024 * 1024,
  importBytesMax: 10 * 1024 * 1024,
  importRowsMax: 10_000,
  importErrorsMax: 1_000,
  importColumnsMax: 64,
  importCellBytesMax: 16 * 1024,
  batchMax: 1_000,
  batchEntriesMax: 10_000,
  /** Of a JSON create: a thousand codes with texts or menus do not fit `bodyBytesMax`. */
  batchBodyBytesMax: 10 * 1024 * 1024,
  batchIdsCharsMax: 200_000,
  nameSuffixCharsMax: 50,

  labelsMax: 5_000,
  labelCopiesMax: 100,
  /** Of a printed picture: nothing under it is read by every phone. */
  labelCodeMmMin: 10,

  /** Of an organization. */
  webhooksMax: 20,
  /** Scans that one call brings to a receiver which asks for them together. */
  webhookBatchMax: 100,
  /** Of the answer of a receiver, as the delivery keeps it. */
  webhookAnswerCharsMax: 1_024,
  /** How long a webhook's old secret signs as well after a new one was made. */
  webhookRotationHours: 24,
  /** How long deliveries are kept, and of one webhook at most so many, the newest. */
  webhookDeliveryDays: 30,
  webhookDeliveriesMax: 100_000,

  /** How long events can be resumed in the live stream. */
  eventHours: 24,
  eventStreamCodesMax: 50,
  /** Open streams of an organization, and of all, in each API process. */
  eventStreamsOfOrganizationMax: 250,
  eventStreamsMax: 1_000,

  analyticsFilterValuesMax: 50,
  topQrCodes: 10,

  idempotencyKeyCharsMax: 255,
  rateLimitPerMinuteDefault: 6_000,

  /** How long an invitation waits. */
  invitationDays: 7,
  /** Tries to accept one, from one network. */
  invitationTriesPerMinute: 30,

  /** A session ends this long after its beginning, and when it was not used for the second time. */
  sessionDays: 30,
  sessionIdleDays: 7,
  /** Of one account; the one that was used least lately ends. */
  sessionsMax: 50,
  /** Tries to sign in, to sign up or to use an address from a mail, from one network. */
  signInTriesPerMinute: 30,
  /** Mails that strangers can ask for, from one network. */
  mailTriesPerMinute: 10,
  recoveryCodes: 10,
  passwordResetHours: 1,
  /** Addresses that wait, of one account. */
  passwordResetsMax: 3,
  signUpHours: 24,
  /** Of which one account is ADMIN, before it can make no more. */
  ownOrganizationsMax: 20,

  passwordCharsMin: 10,
  passwordCharsMax: 200,
} as const
