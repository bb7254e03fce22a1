/** Problems of the archives of organizations, and of their lines. */
export const archiveProblems = {
  organizationNotEmpty: 'An archive fills only an empty organization, and this one has {records}.',
  importNotEnded: 'This organization has an import that has not ended. Wait for its end.',
  organizationChangedNow: 'The organization of this installation has changed just now. Try again.',
  linesNotTaken:
    '{count} lines of the archive cannot be taken. Nothing was written. Repeat with leaveOut=true to import the rest.',

  archiveLines: 'must have at most {max} lines, those of hits not counted (archiveLinesMax)',
  archiveFolders: 'must have at most {max} folders (archiveFoldersMax)',
  archiveStyles: 'must have at most {max} styles (archiveStylesMax)',
  archiveTags: 'must have at most {max} different tags (archiveTagsMax)',
  archiveRefusals: 'must have at most {max} lines that cannot be taken (archiveRefusalsMax)',
  archiveSeconds: 'must have at most {max} seconds of reading (archiveSecondsMax)',
  archiveHeap:
    'must have at most {max} MB of content in memory while it is checked (archiveHeapMegabytesMax)',

  notZip: 'must be a whole zip archive',
  zipFileDamaged: 'must be a whole zip archive; {file} is damaged',
  zipUnpacksTooLarge: 'must unpack to at most {max} GiB',
  archiveLineTooLong: 'must have lines of at most {max} MiB; line {line} of {file} is longer',
  notArchive: 'must be the archive of an organization, with organization.json in it',
  aboutUnreadable: 'has an organization.json that cannot be read: {field}',
  aboutWithoutTimes: 'has an organization.json without valid times',
  aboutWithStrangeLogo: 'has an organization.json with a logo that Everscan does not store',
  archiveTooNew: 'is of format {got}, and this release reads up to {max}; upgrade Everscan first',

  notJsonObject: 'is no JSON object',
  tooManyInOrganization: 'an organization has at most {max}',
  notTopFolder: 'is no top folder',
  nameOfSibling: 'is that of another folder beside it',
  otherDefaultStyle: 'another style is the default',
  otherDefaultDomain: 'another domain is the default',
  ofEarlierLine: 'is that of an earlier line',
  codeOfEarlierLine: '"{shortCode}" is that of an earlier line',
  notStoredLogo: 'is no logo as Everscan stores it',
  noDomainOfArchive: 'is no domain of the archive',
  noFolderOfArchive: 'is no folder of the archive',
  noCodeOfArchive: 'is no code of the archive',
  hitsOfNoCode: 'is no code of the archive ({count} hits of this file)',
  notPasswordHash: 'is no Argon2id hash of the usual size',
  pictureTooSmall: 'is too small for the short URL in this style',
  versionNotBefore: 'must be less than that of the line before',
  versionTooOld: 'is older than the history reaches',

  notScanArray: 'must be an array of {count} values',
  strangeScanValue: '{column} has a value that no scan has',
  closedHitNotOfBot: 'class must be bot for a hit with isClosed',
  scanInFuture: 'timeMs is in the future',

  scanStoreAway: 'The scan store does not answer. The import goes on when it does.',
  stepFails:
    'A step failed several times, and is tried again each minute. The log of the service has the cause.',
  lineRefused: 'This line cannot be taken: {reason}',
} as const
