const numbers = new Intl.NumberFormat()
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const times = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

export const formatNumber = (value: number) => numbers.format(value)
/** For the tooltip of a short date. */
export const formatTime = (iso: string) => times.format(new Date(iso))

const steps = [
  ['minute', 60],
  ['hour', 60],
  ['day', 24],
] as const

/** "3 minutes ago", and after a week the date. */
export function formatAge(iso: string, nowMs = Date.now()): string {
  let amount = (new Date(iso).getTime() - nowMs) / 1000
  let unit: Intl.RelativeTimeFormatUnit = 'second'
  for (const [larger, size] of steps) {
    if (Math.abs(amount) < size) break
    amount /= size
    unit = larger
  }
  return unit === 'day' && Math.abs(amount) >= 7
    ? dates.format(new Date(iso))
    : relative.format(Math.round(amount), unit)
}
