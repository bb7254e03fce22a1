import type { QrCodeDataByType, QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import type { RuleInput } from '@everscan/contract/rules/rules.ts'
import type { Rhythm } from './demo-rhythms.ts'

/** A name of a look in `demoLooks`. */
export type DemoLook = 'Paper cup' | 'Window' | 'Night' | 'Poster' | 'Chalk' | 'Stamp'

type Content = { [Type in QrCodeType]: { type: Type; data: QrCodeDataByType[Type] } }[QrCodeType]

/** A made-up code, and how often it is scanned. Days count back from the day of the demo. */
export type DemoCode = Content & {
  /** Identifies the code in the plan of the demo. */
  key: string
  name: string
  /** `Folder`, or `Folder/Folder inside`. */
  folder?: string
  tags?: readonly string[]
  /** Absent: the look of the organization. Null: black and white. */
  look?: DemoLook | null
  /** Its share of all scans, relative to those of other codes; 0: never scanned. */
  weight: number
  rhythm: Rhythm
  /** The day on which it was printed; absent: a year ago. */
  sinceDay?: number
  /** The day on which it was archived. */
  archivedDay?: number
  /** Absent: scans come from everywhere. */
  cities?: readonly string[]
  /** The share of scans by visitors that scanned this code before. */
  returning: number
  /** The share of scans that begin on a page instead of on paper. */
  online?: number
  /** Scanned more in the warm half of the year. */
  season?: 'warm'
  /** Days on which it is scanned this many times as often. */
  peak?: { day: number; widthDays: number; times: number }
  /** Rules from the first day on, which ask for places and times only. */
  rules?: readonly RuleInput[]
  /** Later content, and the day on which it replaced the former. */
  changes?: readonly { day: number; data: Record<string, unknown> }[]
}
