import { inLanguage } from './chosen-language.ts'

// Words of the finder, which opens codes, folders and pages by what the user types or shows.

export const finderWords = inLanguage('finderWords', {
  open: 'Find anything',
  openHint: (keys: string) => `Find anything (${keys})`,
  title: 'Find',
  placeholder: 'Name, short code, destination, tag…',
  results: 'Results',
  count: (results: number, written: string) =>
    results === 0 ? 'No results' : results === 1 ? '1 result' : `${written} results`,
  searching: 'Searching…',
  nothing: (typed: string) => `Nothing found for “${typed}”`,
  nothingHint: 'Try fewer words, or a part of the short code.',
  offline: 'Codes and folders can’t be searched right now. Pages and actions still work.',
  failed: 'The search failed.',
  moreCodes: (written: string) => `Show all ${written} codes`,
  groups: {
    recent: 'Recent',
    changed: 'Last changed',
    codes: 'Codes',
    folders: 'Folders',
    actions: 'Actions',
    pages: 'Pages',
  },
  keys: [
    ['↑ ↓', 'choose'],
    ['Enter', 'open'],
    ['Esc', 'close'],
  ],
  actions: {
    newCode: 'New code',
    import: 'Import a file',
    invite: 'Invite a member',
    picture: 'Find by picture',
    newKey: 'Create an API key',
  },
  /** Other words for the same thing, under which it is found, too. */
  alsoNamed: {
    newCode: 'create add qr',
    import: 'upload csv excel bulk',
    invite: 'user team people',
    picture: 'camera scan photo poster',
    newKey: 'developers token',
    analytics: 'scans statistics figures',
    bin: 'trash deleted restore',
    account: 'password theme language passkey two-factor',
    auditLog: 'history changes',
    members: 'users team people roles',
  },
  pages: {
    bin: 'Bin',
    members: 'Members',
    auditLog: 'Audit log',
  },
  archived: 'archived',
})

export const pictureWords = inLanguage('pictureWords', {
  open: 'Find by picture',
  title: 'Find by picture',
  text: 'Show a printed code to the camera, or choose a photo of it. No picture leaves this browser.',
  camera: 'Use the camera',
  stop: 'Stop the camera',
  cameraView: 'Picture of the camera',
  looking: 'Looking for a code…',
  photo: 'Drop or paste a photo here',
  choose: 'or choose one',
  hint: 'PNG, JPEG, WebP or HEIC, if your browser opens it',
  reading: 'Reading the picture…',
  back: 'Back to search',
  noCode: 'No QR code was found in this picture. Try a sharper photo, or one from closer.',
  notPicture: 'This file is not a picture that your browser can open.',
  foreign: 'This picture holds the following, which is not one of your codes:',
  hidden: (shortCode: string) =>
    `The short code ${shortCode} belongs to this installation, but you cannot see its code. It was deleted, or it is in an organization that you are not in.`,
  denied: 'The camera is blocked for this page. Allow it in the browser, or choose a photo.',
  noCamera: 'No camera was found. Choose a photo instead.',
  insecure: 'Browsers open the camera on https pages only. Choose a photo instead.',
})
