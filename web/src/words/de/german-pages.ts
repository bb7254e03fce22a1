import { auditLogWords } from './audit-log-words.ts'
import { phonePreviewWords } from './phone-preview-words.ts'
import { accessWords } from './access-words.ts'
import { accountLogWords, accountWords, invitationWords } from './account-words.ts'
import { addressWords } from './address-words.ts'
import { analyticsWords } from './analytics-words.ts'
import { binWords, deletionWords } from './bin-words.ts'
import { tableWords } from './bulk-table-words.ts'
import { bulkWords, codesWords, foldersWords } from './codes-words.ts'
import { destinationsWords } from './destinations-words.ts'
import { developersWords } from './developers-words.ts'
import { domainsWords } from './domains-words.ts'
import { editorWords } from './editor-words.ts'
import { finderWords, pictureWords } from './finder-words.ts'
import { importsWords } from './imports-words.ts'
import { menuFieldWords, menuWords } from './menu-words.ts'
import { movesWords } from './moves-words.ts'
import { rulesWords } from './rules-words.ts'
import { copiesWords, machinesWords, membersWords, proxyCheckWords, settingsWords } from './settings-words.ts'
import { viewsWords } from './views-words.ts'
import type { PagesCatalogue } from '../catalogue.ts'

/** Words of pages after sign-in, in German. */
export const germanPages: PagesCatalogue = {
  accessWords,
  accountLogWords,
  accountWords,
  invitationWords,
  addressWords,
  analyticsWords,
  binWords,
  deletionWords,
  tableWords,
  bulkWords,
  codesWords,
  foldersWords,
  destinationsWords,
  developersWords,
  domainsWords,
  editorWords,
  finderWords,
  pictureWords,
  importsWords,
  menuFieldWords,
  menuWords,
  movesWords,
  phonePreviewWords,
  rulesWords,
  auditLogWords,
  copiesWords,
  machinesWords,
  membersWords,
  proxyCheckWords,
  settingsWords,
  viewsWords,
}
