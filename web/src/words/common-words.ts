import { englishTerms } from '@everscan/contract/words/english-terms.ts'
import { inLanguage } from './chosen-language.ts'

/** Words that every part of the dashboard uses. */
export const commonWords = inLanguage('commonWords', {
  product: 'Everscan',
  loading: 'Loading…',
  tryAgain: 'Try again',
  save: 'Save',
  name: 'Name',
  cancel: 'Cancel',
  close: 'Close',
  undo: 'Undo',
  /** A date inside a sentence. */
  onDate: (date: string) => `on ${date}`,
  justNow: 'just now',
  /** Between a name and its value. */
  colon: ':',
  pages: {
    label: 'Pages',
    previous: 'Previous',
    next: 'Next',
    position: (page: string, of: string) => `Page ${page} of ${of}`,
  },
  copied: 'Copied',
  learnMore: 'Learn more',
  /** Only screen readers say these, after "Learn more". */
  learnMoreAbout: {
    rules: ' about rules',
    uniqueScans: ' about unique scans',
    printSizes: ' about print sizes',
    labels: ' about labels',
    importColumns: ' about columns',
    moves: ' about moves',
    keys: ' about keys and scopes',
    signatures: ' about signatures',
    webhooks: ' about webhooks',
    copies: ' about copies',
    machines: ' about several machines',
    domains: ' about domains',
    places: ' about places',
    publicAddress: ' about the address',
  },
  skipToContent: 'Skip to content',
  notFound: {
    title: 'Page not found',
    text: 'The address may be mistyped or out of date.',
    back: 'Back to codes',
  },
  failure: {
    title: 'Something went wrong',
    offline: 'Everscan cannot be reached. Check your connection and try again.',
  },
  connection: {
    offline: 'You’re offline.',
    unreached: 'Everscan is not answering; it may be restarting.',
    readOn: 'You can read on; saving waits until you’re back.',
    readOnUnreached: 'We keep trying. You can read on.',
    /** Only while something waits. */
    waiting: 'What you saved or started waits here until it works again. Keep this page open.',
  },
  signOut: {
    title: 'Sign out and lose your work?',
    text: 'Unsaved changes and unfinished codes in this browser will be deleted.',
    action: 'Sign out',
  },
  nav: {
    label: 'Main',
    codes: 'Codes',
    analytics: 'Analytics',
    imports: 'Import',
    developers: 'Developers',
    settings: 'Settings',
    organization: 'Organization',
    account: 'Your account',
    guide: 'Guide',
    signOut: 'Sign out',
    theme: 'Appearance',
    language: 'Language',
    themes: { system: 'Same as device', light: 'Light', dark: 'Dark' },
  },
  newOrganization: {
    title: 'New organization',
    text: 'It has its own codes, members and analytics. You are its admin.',
    name: 'Name of the organization',
    action: 'Create organization',
  },
  demo: {
    label: 'Demo',
    text: 'This organization and its scans are made up.',
    remove: 'To delete it, run this on the server:',
    command: './everscan demo remove',
  },
  twoFactorNeeded: {
    title: 'Two-factor sign-in needed',
    heading: (organization: string) => `${organization} requires two-factor sign-in`,
    text: 'Its admins ask every member to protect their account with a second step. It takes a minute, and you continue here right after.',
    action: 'Turn it on',
  },
  shortcuts: {
    title: 'Keyboard shortcuts',
    keys: [
      ['⌘K', 'Find anything; Ctrl+K on other keyboards'],
      ['/', 'Search the list'],
      ['c', 'Create a code'],
      ['↑ ↓', 'In the list: previous or next code; with Shift, select'],
      ['z', 'Undo the last action'],
      ['?', 'Show this help'],
      ['Esc', 'Close a dialog or menu, clear the selection'],
    ],
  },
  types: englishTerms.types,
})
