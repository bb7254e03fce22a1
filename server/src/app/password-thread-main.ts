// A thread that checks passwords, one after the other, beside the redirects of its front.
import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { verifyPasswordNow } from '../catalogue/accounts/passwords.ts'

export type PasswordQuestion = { number: number; password: string; hash: string }
export type PasswordAnswer = { number: number; isRight: boolean }

/** How much later than its process this thread gets a processor: a scan never waits for a check. */
const laterNice = 15
const nicest = 19

// Elsewhere a priority belongs to the whole process.
if (process.platform === 'linux') setPriority(Math.min(nicest, getPriority() + laterNice))

parentPort?.on('message', ({ number, password, hash }: PasswordQuestion) => {
  const answer: PasswordAnswer = { number, isRight: verifyPasswordNow(password, hash) }
  parentPort?.postMessage(answer)
})
