import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A browser of real traffic, from the package user-agents: its share, and what its scripts see. */
export type RealBrowser = {
  userAgent: string
  /** `navigator.platform` */
  platform: string
  /** As the package guesses it from the user agent. */
  deviceCategory: 'mobile' | 'tablet' | 'desktop'
  /** The share of the traffic; all together are 1. */
  weight: number
}

/** Returns all 10,000 browsers: the package exports only random choices of its file. */
export function readRealBrowsers(): RealBrowser[] {
  const file = join(dirname(createRequire(import.meta.url).resolve('user-agents')), 'user-agents.json')
  return JSON.parse(readFileSync(file, 'utf8')) as RealBrowser[]
}
