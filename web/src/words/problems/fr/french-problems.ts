import type { ProblemWords, WithOwnValues } from '../problem-wording.ts'
import { accessProblems } from './access-problems.ts'
import { archiveProblems } from './archive-problems.ts'
import { callProblems } from './call-problems.ts'
import { contentProblems } from './content-problems.ts'
import { copyProblems } from './copy-problems.ts'
import { domainProblems } from './domain-problems.ts'
import { fieldProblems } from './field-problems.ts'
import { fileProblems } from './file-problems.ts'
import { frontProblems } from './front-problems.ts'
import { importProblems } from './import-problems.ts'
import { installationProblems } from './installation-problems.ts'
import { limitProblems } from './limit-problems.ts'
import { mailProblems } from './mail-problems.ts'
import { memberProblems } from './member-problems.ts'
import { organizationProblems } from './organization-problems.ts'
import { pictureProblems } from './picture-problems.ts'
import { recordProblems } from './record-problems.ts'
import { requestProblems } from './request-problems.ts'
import { styleWarnings } from './style-warnings.ts'

const words = {
  ...fieldProblems,
  ...contentProblems,
  ...fileProblems,
  ...importProblems,
  ...organizationProblems,
  ...accessProblems,
  ...requestProblems,
  ...frontProblems,
  ...callProblems,
  ...mailProblems,
  ...domainProblems,
  ...styleWarnings,
  ...installationProblems,
  ...copyProblems,
  ...recordProblems,
  ...limitProblems,
  ...memberProblems,
  ...archiveProblems,
  ...pictureProblems,
} as const

/** Problems in French. */
export const frenchProblems: ProblemWords = words satisfies WithOwnValues<typeof words>
