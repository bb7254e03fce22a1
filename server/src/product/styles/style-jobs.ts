import { readLogo } from '@everscan/qr/shapes/logo-intake.ts'
import type { RunStyleJob, StyleJobs } from './style-work.ts'
import { readStyle } from './read-style.ts'

const jobs: StyleJobs = { readStyle, readLogo }

/** Runs a job on the calling thread. */
export const runStyleJob: RunStyleJob = (name, input) => jobs[name](input as never) as never
