/** Answers of the guide to questions in the dashboard. `npm run check` looks for each heading. */
export const guideLinks = {
  rules: '/docs/guide/rules#in-the-dashboard',
  uniqueScans: '/docs/guide/analytics#unique-scans',
  printSizes: '/docs/guide/printing#how-large-must-it-be',
  labels: '/docs/guide/printing#sheets-of-labels',
  importColumns: '/docs/guide/import#columns',
  moves: '/docs/guide/moves',
  keys: '/docs/guide/concepts#keys',
  signatures: '/docs/guide/webhooks#check-the-signature',
  webhooks: '/docs/guide/webhooks',
  copies: '/docs/guide/backup',
  machines: '/docs/guide/scaling',
  domains: '/docs/guide/domains',
  places: '/docs/guide/analytics#places',
  publicAddress: '/docs/guide/proxies#which-address-do-phones-reach',
} as const

export type GuideTopic = keyof typeof guideLinks
