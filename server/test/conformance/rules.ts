import { importRules } from './imports.ts'
import type { Installation } from './installation.ts'
import { analyticsRules } from './analytics.ts'
import { batchRules } from './batches.ts'
import { campaignRules } from './campaigns.ts'
import { codeAccess } from './code-access.ts'
import { codeRules } from './code-rules.ts'
import { contentRules } from './contents.ts'
import { errorRules } from './errors.ts'
import { keyRules } from './keys.ts'
import { listRules } from './lists.ts'
import { organizationRules } from './organizations.ts'
import { pictureRules } from './pictures.ts'
import { recordRules } from './records.ts'
import { redirectRules } from './redirects.ts'
import { scanRules } from './scans.ts'
import { shortCodeRules } from './short-codes.ts'
import { lookRules, styleRules } from './styles.ts'
import { surroundingRules } from './surroundings.ts'
import { tidyingRules } from './tidying.ts'
import { viewRules } from './views.ts'
import { webhookRules } from './webhooks.ts'

/** The groups of rules that hold for every installation. */
export const groups: readonly ((of: Installation) => void)[] = [
  keyRules,
  errorRules,
  recordRules,
  tidyingRules,
  contentRules,
  listRules,
  shortCodeRules,
  redirectRules,
  codeRules,
  codeAccess,
  analyticsRules,
  scanRules,
  campaignRules,
  importRules,
  batchRules,
  pictureRules,
  lookRules,
  styleRules,
  organizationRules,
  surroundingRules,
  viewRules,
  webhookRules,
]
