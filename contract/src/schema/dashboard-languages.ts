/**
 * Languages of the dashboard and of mails, as in the attribute `lang`. Each has words for
 * everything: one that lacks a word does not compile.
 */
export const dashboardLanguages = ['en', 'de', 'fr', 'es'] as const
export type DashboardLanguage = (typeof dashboardLanguages)[number]
