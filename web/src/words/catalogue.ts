// The types of all words, which each language must have: no more and no fewer.

import type * as access from './access-words.ts'
import type * as account from './account-words.ts'
import type * as address from './address-words.ts'
import type * as analytics from './analytics-words.ts'
import type * as auditLog from './audit-log-words.ts'
import type * as bin from './bin-words.ts'
import type * as bulkTable from './bulk-table-words.ts'
import type * as codes from './codes-words.ts'
import type * as common from './common-words.ts'
import type * as destinations from './destinations-words.ts'
import type * as developers from './developers-words.ts'
import type * as domains from './domains-words.ts'
import type * as editor from './editor-words.ts'
import type * as finder from './finder-words.ts'
import type * as imports from './imports-words.ts'
import type * as menu from './menu-words.ts'
import type * as moves from './moves-words.ts'
import type * as passkeys from './passkeys-words.ts'
import type * as phonePreview from './phone-preview-words.ts'
import type * as rules from './rules-words.ts'
import type * as service from './service-words.ts'
import type * as settings from './settings-words.ts'
import type * as signIn from './sign-in-words.ts'
import type * as views from './views-words.ts'

type Start = typeof common & typeof passkeys & typeof service & typeof signIn

type Pages = typeof access &
  typeof account &
  typeof address &
  typeof analytics &
  typeof auditLog &
  typeof bin &
  typeof bulkTable &
  typeof codes &
  typeof destinations &
  typeof developers &
  typeof domains &
  typeof editor &
  typeof finder &
  typeof imports &
  typeof menu &
  typeof moves &
  typeof phonePreview &
  typeof rules &
  typeof settings &
  typeof views

/** Words of the first page, and of windows over any page, by the name of their export. */
export type StartCatalogue = { readonly [Name in keyof Start]: Start[Name] }

/** Words of the pages that are loaded when they are opened. */
export type PagesCatalogue = { readonly [Name in keyof Pages]: Pages[Name] }
