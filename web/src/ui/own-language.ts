/** Returns the language of the dashboard, in which it writes names and numbers. */
export const ownLanguage = (): string => document.documentElement.lang || 'en'
