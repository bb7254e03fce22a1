import { analyticsWords } from './analytics-words.ts'
import { codesWords } from './codes-words.ts'
import { commonWords } from './common-words.ts'
import { developersWords } from './developers-words.ts'
import { editorWords } from './editor-words.ts'
import { importsWords } from './imports-words.ts'
import { sessionWords } from './session-words.ts'
import { settingsWords } from './settings-words.ts'

/** Every English text of the dashboard. */
export const words = {
  ...commonWords,
  ...sessionWords,
  ...codesWords,
  ...importsWords,
  ...analyticsWords,
  ...editorWords,
  ...developersWords,
  ...settingsWords,
} as const
