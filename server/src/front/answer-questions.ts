import { parentPort } from 'node:worker_threads'
import { errorMessage } from '../errors.ts'
import type { Answered, Asked } from './threads.ts'

/** Answers the questions to a thread of `Threads`. */
export function answerQuestions(answer: (question: unknown) => unknown): void {
  parentPort?.on('message', (asked: Asked) => void send(asked, answer))
}

async function send({ number, question }: Asked, answer: (question: unknown) => unknown): Promise<void> {
  parentPort?.postMessage(await answered(number, () => answer(question)))
}

async function answered(number: number, answer: () => unknown): Promise<Answered> {
  try {
    return { number, answer: await answer() }
  } catch (error) {
    return { number, error: errorMessage(error) }
  }
}
