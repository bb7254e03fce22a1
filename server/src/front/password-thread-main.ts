// A thread that checks passwords, one after the other, beside the redirects of its front.
import { getPriority, setPriority } from 'node:os'
import { verifyPasswordNow } from '../catalogue/accounts/passwords.ts'
import { answerQuestions } from './answer-questions.ts'

export type PasswordQuestion = { password: string; hash: string }

/** How much later than its process this thread gets a processor: a scan never waits for a check. */
const laterNice = 15
const nicest = 19

// Elsewhere a priority belongs to the whole process.
if (process.platform === 'linux') setPriority(Math.min(nicest, getPriority() + laterNice))

answerQuestions((question) => {
  const { password, hash } = question as PasswordQuestion
  return verifyPasswordNow(password, hash)
})
