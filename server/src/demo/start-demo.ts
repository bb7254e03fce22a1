import type { Config } from '../settings/settings.ts'
import type { Database } from '../db/database.ts'
import { prepareDemo, type PreparedDemo } from './prepare-demo.ts'
import type { Log } from '../log.ts'

/** Creates the demo if there is none. Returns the text that the start prints about it. */
export async function startDemo(
  db: Database,
  options: { config: Config; log: Log; onStep: () => void },
): Promise<string> {
  const fromMs = performance.now()
  const demo = await prepareDemo(db, options)
  return demoText(demo, { publicUrl: options.config.publicUrl, ms: performance.now() - fromMs })
}

/** Tells how to see the demo, and how to be rid of it. `ms` is how long it took. */
export function demoText(
  { organizationId, codes, hits, operators }: PreparedDemo,
  { publicUrl, ms }: { publicUrl: string; ms: number },
): string {
  const [account = 'an account of this installation'] = operators
  const did =
    hits === undefined
      ? `${codes} made-up codes are here already.`
      : `Made up ${codes} codes and ${hits.toLocaleString('en-US')} hits of a year in ${(ms / 1000).toFixed(1)} s.`
  return [
    `  Demo         ${publicUrl}/app/${organizationId}/analytics`,
    `  Sign in as   ${account}`,
    '',
    `${did} The figures are complete a few seconds after the start.`,
    'To remove the demo: ./everscan demo remove',
    '',
    '',
  ].join('\n')
}
