import type { ProblemLog } from './problem-log.ts'

/** What waits for a scan to be recorded: an object, as the caller may have one anyway. A function costs the same, 20 ns. */
export type Answer = {
  /** Called once. `false`: the scan could not be recorded, and is counted in `stats().unrecorded`. With `always` it may be in the file. */
  acknowledge(recorded: boolean): void
}

/** The answers that wait for the disk, in the order of their frames, and how many scans were recorded. */
export class Answers {
  appended = 0
  unrecorded = 0
  readonly #problems: ProblemLog
  #ofTurn: Answer[] = []
  /** There are no frames for these, as nothing can be recorded. */
  readonly #refused: Answer[] = []
  /** With `always`: their frames are written but not yet synced. */
  readonly #unsynced: Answer[] = []

  constructor(problems: ProblemLog) {
    this.#problems = problems
  }

  get unsyncedCount(): number {
    return this.#unsynced.length
  }

  add(answer: Answer): void {
    this.#ofTurn.push(answer)
  }

  refuse(answer: Answer): void {
    this.#refused.push(answer)
  }

  takeTurn(): Answer[] {
    const answers = this.#ofTurn
    this.#ofTurn = []
    return answers
  }

  waitForSync(answers: readonly Answer[]): void {
    for (const answer of answers) this.#unsynced.push(answer)
  }

  /** The oldest of those that waited for a sync. */
  takeSynced(count: number): Answer[] {
    return this.#unsynced.splice(0, count)
  }

  /** Answers with `true` for the first `recorded`, and with `false` for the others. */
  give(answers: readonly Answer[], recorded: number): void {
    this.appended += recorded
    this.unrecorded += answers.length - recorded
    for (let index = 0; index < answers.length; index++) {
      try {
        answers[index]?.acknowledge(index < recorded)
      } catch (error) {
        this.#problems.report(error, 'answering')
      }
    }
  }

  giveRefused(): void {
    if (this.#refused.length > 0) this.give(this.#refused.splice(0), 0)
  }

  /** Answers those that wait for a sync: there may never be one. */
  giveUpUnsynced(): void {
    this.give(this.#unsynced.splice(0), 0)
  }
}
