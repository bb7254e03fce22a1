/**
 * What may be in progress at the same time, in each API process: by key or session, by account over
 * all of its organizations and keys, by organization, and in total.
 */
export type PlaceMaxima = Record<'keyMax' | 'accountMax' | 'organizationMax' | 'totalMax', number>

/**
 * Every limit of the interface. The schemas, the server and the dashboard read the limits here.
 * Source: sections 1, 4, 7 and 8 of the specification's decisions; figures without a source are our
 * own choice.
 */
export const limits = {
  pageDefault: 1,
  pageLimitDefault: 20,
  pageLimitMax: 100,
  /**
   * A page past the end is empty, not an error. This bound only keeps the offset a safe integer.
   */
  pageMax: 1_000_000_000,

  nameCharsMax: 255,
  descriptionCharsMax: 500,
  textCharsMax: 2_000,
  searchCharsMax: 200,
  urlCharsMax: 2_048,
  /**
   * Length of a URL after percent-encoding for a `Location` header; common proxies reject longer
   * headers.
   */
  urlEncodedCharsMax: 8_192,
  emailCharsMax: 254,
  phoneCharsMax: 50,

  tagsMax: 50,
  tagCharsMax: 50,
  metadataKeysMax: 50,
  metadataKeyCharsMax: 50,
  metadataValueCharsMax: 500,

  /** Versions of a code that are stored: the newest ones. */
  historyVersionsMax: 1_000,
  /** Entries of a code in `limitExcesses` that are stored: the newest ones. */
  limitExcessesMax: 50,
  /** Length of the user agent in the audit log. */
  userAgentCharsMax: 512,

  shortCodeCharsMin: 4,
  shortCodeCharsMax: 32,
  /** On a domain with exact short codes. */
  exactShortCodeCharsMax: 128,
  shortCodeCharsGenerated: 7,

  menuSectionsMax: 50,
  menuItemsMax: 200,
  menuLanguagesMax: 8,
  menuHoursMax: 28,
  /** A picture of 1,200 pixels, and a logo, in base64. Each front has them in memory. */
  menuPhotoCharsMax: 200_000,
  menuLogoCharsMax: 60_000,
  socialLinksMax: 50,

  stylesMax: 200,
  utmTemplatesMax: 100,
  /** Domains of an organization, and those of them that are not proved. */
  domainsMax: 100,
  pendingDomainsMax: 20,
  /** Days from a notice until codes of a former owner of a host name end. */
  domainNoticeDays: 90,
  /** RFC 1035, section 2.3.4. */
  hostnameCharsMax: 253,
  utmValueCharsMax: 200,
  /** 1 MiB in base64, plus the data URI prefix. Also applies to an organization's logo. */
  styleLogoCharsMax: 1_398_200,
  frameTextCharsMax: 40,

  /** Rules of a code. */
  rulesMax: 50,
  /** Length of all rules of a code as JSON. Every front that answers it has them in memory. */
  rulesCharsMax: 512 * 1024,
  ruleNameCharsMax: 100,
  /** Rules of a code that are gone and whose last names are kept: those made last. */
  formerRulesMax: 500,
  ruleArmsMin: 2,
  ruleArmsMax: 10,
  /** The journal has 255 bytes for the name of an arm, which has at most 4 bytes a character. */
  ruleArmNameCharsMax: 60,
  ruleWeightMax: 10_000,
  /** Entries of a list of a condition: all countries. */
  ruleValuesMax: 250,
  ruleQueryNamesMax: 10,
  ruleTextCharsMax: 255,
  simulatedLanguagesMax: 20,
  simulatedTextCharsMax: 512,
  /** A replay reads the scans of a code: of so many days, so many, and for so long. */
  replayDaysMax: 90,
  replayScansMax: 5_000_000,
  replayMsMax: 10_000,

  /** Answers of a code with a limit. */
  scanLimitMax: 1_000_000_000,
  accessPasswordCharsMax: 200,
  /** Body of the form that asks for the password of a code. */
  accessFormBytesMax: 1_024,
  closedMessageCharsMax: 500,
  /** Wrong passwords of a code from one network (/24, /48) in so many minutes. */
  accessTriesMax: 10,
  accessTriesMinutes: 10,
  /**
   * Wrong passwords of a code from everywhere: at once, then a day, and beside these a day from
   * networks that are new to it.
   */
  accessFreeTriesMax: 50,
  accessTriesPerDay: 144,
  accessNewTriesPerDay: 150,
  /** Checks of passwords of codes on a machine at once, and how long one waits for its turn. */
  accessChecksMax: 4,
  accessWaitSeconds: 2,
  /** How long after a right password of a code others are compared with it. */
  accessRememberedMinutes: 10,

  /** Path, query and headers of a request. A thousand ids in a query take half of it. */
  headBytesMax: 64 * 1024,
  bodyBytesMax: 2 * 1024 * 1024,
  /** How long a body may take to arrive. */
  bodySecondsMax: 30,
  /**
   * A body with a file may take longer: while it comes at this rate, and never falls behind it by
   * more than the pause. 16 KiB/s is a tenth of a slow line.
   */
  uploadBytesPerSecondMin: 16 * 1024,
  uploadPauseSecondsMax: 20,
  importBytesMax: 10 * 1024 * 1024,
  importRowsMax: 10_000,
  /** An archive of an organization: as it is sent, all of its files unpacked, and one line. */
  archiveBytesMax: 512 * 1024 * 1024,
  archiveUnpackedBytesMax: 4 * 1024 * 1024 * 1024,
  archiveLineBytesMax: 4 * 1024 * 1024,
  /**
   * Limits of an archive, which anybody may have written: its lines, those of hits not counted, its
   * folders, styles and different tags, its lines that cannot be taken, and how long a process may
   * read it, with which heap.
   */
  archiveLinesMax: 1_000_000,
  archiveFoldersMax: 100_000,
  archiveStylesMax: 100_000,
  archiveTagsMax: 100_000,
  archiveRefusalsMax: 1_000,
  archiveSecondsMax: 900,
  archiveHeapMegabytesMax: 1_024,
  /** Archives that a process of the API reads at once, each of another organization or account. */
  archiveReadersMax: 2,
  importErrorsMax: 1_000,
  /** An export of another product: as CSV, as JSON, and its links. */
  moveBytesMax: 100 * 1024 * 1024,
  moveJsonBytesMax: 10 * 1024 * 1024,
  moveRowsMax: 250_000,
  /** Visits of a move, and those that cannot be read and are named. */
  moveVisitsMax: 2_000_000,
  moveVisitProblemsMax: 20,
  moveColumnsPerFieldMax: 5,
  movePreviewLinksMax: 10,
  /** Links of a move whose destinations are looked at first. */
  resolvedLinksMax: 10_000,
  /** Links of a move that are compared with the old service. */
  comparedLinksMax: 200,
  /** Imports of an organization that have not ended. */
  importsOpenMax: 100,
  importColumnsMax: 64,
  importCellBytesMax: 16 * 1024,
  importPreviewRowsMax: 5,
  /** An xlsx file, with all of its parts unpacked. */
  importUnpackedBytesMax: 100 * 1024 * 1024,
  /** A field of the form that is JSON: the columns, or the repaired rows. */
  importFieldBytesMax: 256 * 1024,
  /** Cells of a failed row, in all, that the record of an import returns. */
  importErrorCharsMax: 4 * 1024,
  batchMax: 1_000,
  batchEntriesMax: 10_000,
  /** Body of a batch create in JSON: a thousand codes with texts or menus exceed `bodyBytesMax`. */
  batchBodyBytesMax: 10 * 1024 * 1024,
  batchIdsCharsMax: 200_000,
  /** As many as a page of the list: more logos at once could fill the memory. */
  batchReadMax: 100,
  ifMatchCharsMax: 1_000,
  nameSuffixCharsMax: 50,

  labelsMax: 5_000,
  labelCopiesMax: 100,
  /** Width of a printed picture: some phones cannot read a smaller one. */
  labelCodeMmMin: 10,

  /** Keys of an organization that are neither revoked nor expired. */
  apiKeysMax: 1_000,
  /** Networks from which one key is accepted. */
  keyNetworksMax: 50,
  /** The longest IPv6 address, with four decimals at its end, and a prefix. */
  networkCharsMax: 49,

  /** Per organization. */
  webhooksMax: 20,
  /** Scans in one call to a webhook with `batch`. */
  webhookBatchMax: 100,
  /** Length of the receiver's response that a delivery stores. */
  webhookAnswerCharsMax: 1_024,
  /** How long a webhook's old secret keeps signing after a rotation. */
  webhookRotationHours: 24,
  /** How long deliveries are kept; at most this many per webhook, the newest ones. */
  webhookDeliveryDays: 30,
  webhookDeliveriesMax: 100_000,

  /** How long an event remains available to a client that resumes the live stream. */
  eventHours: 24,
  eventStreamCodesMax: 50,
  /** Open streams of events. */
  eventStreams: { keyMax: 200, accountMax: 250, organizationMax: 250, totalMax: 1_000 },
  /** Streamed exports, archives and files with many pictures. */
  downloads: { keyMax: 4, accountMax: 6, organizationMax: 8, totalMax: 50 },
  /** Files of imports that are being received. */
  uploads: { keyMax: 4, accountMax: 6, organizationMax: 8, totalMax: 50 },

  analyticsFilterValuesMax: 50,
  topQrCodes: 10,
  /** The longest period by hour, in days. */
  hourlyDaysMax: 31,
  /** Values of each dimension of a matrix. */
  matrixSideMax: 50,
  /** Ids in the selection of an organization's figures. */
  selectedIdsMax: 1_000,

  /** Saved views of an organization. */
  viewsMax: 100,
  /** Addresses that get the mail of a view. */
  viewMailsMax: 20,
  /** Mails of views per organization and day (UTC). */
  viewMailsPerDay: 200,
  sharePasswordCharsMin: 8,
  /** How long a shared view stays open after its password was entered. */
  sharedViewHours: 12,
  /** Requests for shared views per client network, and for one view from everywhere. */
  sharedViewTriesPerMinute: 120,
  sharedViewReadsPerMinute: 600,
  /** How old the figures of a shared view can be. */
  sharedViewCacheSeconds: 60,

  idempotencyKeyCharsMax: 255,
  rateLimitPerMinuteDefault: 6_000,

  /** How long an invitation can be accepted. */
  invitationDays: 7,
  /** Attempts to accept an invitation, per client network. */
  invitationTriesPerMinute: 30,
  /** API keys that do not exist, from one network. */
  unknownKeysPerMinute: 60,

  /** A session ends this long after sign-in, or this long after its last use. */
  sessionDays: 30,
  sessionIdleDays: 7,
  /** Per account. One more session ends the least recently used one. */
  sessionsMax: 50,
  /** How long a browser counts as a device that signed in before, and to how many accounts. */
  deviceDays: 365,
  deviceAccountsMax: 4,
  /** Attempts to sign in, to sign up or to use a link from a mail, per client network. */
  signInTriesPerMinute: 30,
  /** Mails requested without signing in, per client network. */
  mailTriesPerMinute: 10,
  recoveryCodes: 10,
  /** Per account. */
  passkeysMax: 20,
  /** How long a person has for the window in which the browser asks for a passkey. */
  passkeyChallengeMinutes: 5,
  /** How long a second factor lets a session change what signs in. */
  confirmationMinutes: 10,
  passwordResetHours: 1,
  /** Pending reset links per account. */
  passwordResetsMax: 3,
  signUpHours: 24,
  emailConfirmationHours: 24,
  /** Organizations of which an account can be ADMIN before it can create no more. */
  ownOrganizationsMax: 20,

  /** How long entries of an account's log are kept, and how many of each kind: the newest ones. */
  accountLogDays: 365,
  accountLogEntriesMax: { signIn: 400, change: 400, dryRun: 100, attempt: 200 },
  /**
   * Networks whose failed attempts of one hour have entries of their own. Those of further networks
   * share one entry.
   */
  accountLogNetworksPerHour: 20,

  /** Codes that one call of a tool over MCP creates or changes, and the size of its picture. */
  mcpBatchMax: 100,
  mcpPictureBytesMax: 1024 * 1024,
  /** How long the audit log keeps calls over MCP, and how many of an organization: the newest. */
  mcpCallDays: 90,
  /** How long a code that was moved to the bin can be restored. */
  binDays: 30,
  mcpCallsMax: 100_000,

  passwordCharsMin: 10,
  passwordCharsMax: 200,
} as const
