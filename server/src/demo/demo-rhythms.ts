/** The times of day and days of the week at which people scan. */
export type RhythmShape = {
  /** Weights of the hours from midnight on, by the clock of the place. */
  hours: readonly number[]
  /** Weights of the days, Monday first. */
  weekdays: readonly number[]
}

const allWeek = [1, 1, 1, 1.05, 1.2, 1.35, 1.1]

export const demoRhythms = {
  breakfast: {
    hours: [0, 0, 0, 0, 0.1, 0.6, 3, 8, 10, 9, 6, 4, 4, 4, 4, 4, 3, 2, 1, 0.4, 0.2, 0.1, 0, 0],
    weekdays: allWeek,
  },
  lunch: {
    hours: [0, 0, 0, 0, 0, 0.1, 0.5, 1, 2, 2, 3, 7, 12, 10, 5, 3, 3, 3, 3, 2, 1, 0.5, 0.1, 0],
    weekdays: allWeek,
  },
  evening: {
    hours: [0.6, 0.2, 0.1, 0, 0, 0, 0.2, 0.4, 0.6, 0.8, 1, 1, 1, 1, 1, 1.5, 2, 4, 7, 9, 9, 7, 4, 1.5],
    weekdays: [0.7, 0.7, 0.9, 1.1, 1.7, 1.9, 0.9],
  },
  office: {
    hours: [0, 0, 0, 0, 0, 0.2, 0.8, 3, 7, 9, 9, 8, 5, 7, 8, 7, 5, 3, 1, 0.5, 0.3, 0.2, 0.1, 0],
    weekdays: [1.2, 1.2, 1.2, 1.1, 0.9, 0.12, 0.08],
  },
  weekend: {
    hours: [0.1, 0, 0, 0, 0, 0, 0.2, 0.6, 2, 5, 8, 9, 8, 8, 8, 7, 6, 4, 2, 1, 0.8, 0.5, 0.3, 0.1],
    weekdays: [0.3, 0.3, 0.35, 0.4, 0.9, 2.6, 2.2],
  },
  online: {
    hours: [1.2, 0.6, 0.3, 0.2, 0.2, 0.3, 1, 2, 3, 3, 3, 3.5, 4, 3.5, 3, 3, 3.5, 4, 5, 6, 7, 6, 4, 2],
    weekdays: [1, 1, 1, 1, 0.9, 1.1, 1.3],
  },
} as const satisfies Readonly<Record<string, RhythmShape>>

export type Rhythm = keyof typeof demoRhythms
