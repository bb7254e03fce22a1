import type { Locator } from 'playwright-core'

/** Does a job in a page, and counts the steps that a person would need for it. */
export type Steps = {
  click: (target: Locator) => Promise<void>
  fill: (target: Locator, value: string) => Promise<void>
  /** Chooses a file, as in the dialog of the browser. */
  choose: (target: Locator, file: { name: string; mimeType: string; buffer: Buffer }) => Promise<void>
  /** Presses a key that acts, such as Enter. */
  press: (target: Locator, key: string) => Promise<void>
  /** Prints the job with its steps and time, and returns the number of steps. */
  end: () => number
}

/** Counts each click, each field filled and each key that acts as one step. */
export function countSteps(job: string): Steps {
  const startMs = performance.now()
  let count = 0
  const step = async (act: Promise<void>): Promise<void> => {
    count++
    await act
  }
  return {
    click: async (target) => step(target.click()),
    fill: async (target, value) => step(target.fill(value)),
    choose: async (target, file) => step(target.setInputFiles(file)),
    press: async (target, key) => step(target.press(key)),
    end: () => {
      const seconds = ((performance.now() - startMs) / 1000).toFixed(1)
      console.log(`JOB ${job}: ${count} steps, ${seconds} seconds`)
      return count
    },
  }
}
