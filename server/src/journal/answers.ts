import type { ProblemLog } from './problem-log.ts'

/**
 * An answer that waits until its scan is recorded. It is an object, because the caller may have one
 * anyway. A function costs the same, 20 ns.
 */
export type Answer = {
  /**
   * Called once. `false`: the scan could not be recorded, and is counted in `stats().unrecorded`.
   * With `always` it may be in the file nevertheless.
   */
  acknowledge(recorded: boolean): void
}

/**
 * The answers that wait for the disk, in the order of their frames, and the number of recorded
 * scans.
 */
export class Answers {
  appended = 0
  unrecorded = 0
  readonly #problems: ProblemLog
  #ofTurn: Answer[] = []
  /** Answers without frames, because nothing can be recorded. */
  readonly #refused: Answer[] = []
  /** With `always`: answers whose frames are written but not yet synced. */
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

  /** Removes and returns the oldest answers that waited for a sync. */
  takeSynced(count: number): Answer[] {
    return this.#unsynced.splice(0, count)
  }

  /** Answers the first `recorded` ones with `true`, and the others with `false`. */
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

  /** Answers all that wait for a sync with `false`, because there may never be one. */
  giveUpUnsynced(): void {
    this.give(this.#unsynced.splice(0), 0)
  }
}
