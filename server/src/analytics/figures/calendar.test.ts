import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clockOffsets, wallClock } from '../../clock-offsets.ts'
import { bucketDates, dateText, dayOf, momentOf, startOfDay, hourStarts } from './calendar.ts'

const zones = Intl.supportedValuesOf('timeZone')
const dayMs = 86_400_000

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

describe('days by the clocks of a time zone', () => {
  it('begin at midnight, before and after the clocks change', () => {
    const berlin = (date: string) => iso(startOfDay('Europe/Berlin', Date.parse(date) / dayMs))
    assert.equal(berlin('2026-03-29'), '2026-03-28T23:00:00.000Z')
    assert.equal(berlin('2026-03-30'), '2026-03-29T22:00:00.000Z')
    assert.equal(
      iso(startOfDay('America/St_Johns', Date.parse('2026-03-09') / dayMs)),
      '2026-03-09T02:30:00.000Z',
    )
  })

  it('begin when the clocks are put forward over midnight', () => {
    // Clocks in Beirut go from 00:00 to 01:00 on the last Sunday of March.
    assert.equal(iso(startOfDay('Asia/Beirut', Date.parse('2026-03-29') / dayMs)), '2026-03-28T22:00:00.000Z')
  })

  it('begin once when the clocks are put back over midnight', () => {
    // Clocks in Havana go from 01:00 back to 00:00 on the first Sunday of November.
    assert.equal(
      iso(startOfDay('America/Havana', Date.parse('2026-11-01') / dayMs)),
      '2026-11-01T04:00:00.000Z',
    )
  })

  it('follow one upon the other without gap or overlap, in every zone', () => {
    for (const zone of zones)
      for (let day = 20_500; day < 20_700; day += 9) {
        const start = startOfDay(zone, day)
        assert.equal(dayOf(zone, start), day, `${zone} ${dateText(day)}`)
        assert.ok(dayOf(zone, start - 1) < day, `${zone} ${dateText(day)}`)
      }
  })
})

it('a time that clocks show twice is the first of the two, one that they leave out comes when they have', () => {
  const at = momentOf.bind(undefined, 'Europe/Berlin')
  assert.equal(iso(at(Date.parse('2026-10-25T02:30:00Z'))), '2026-10-25T00:30:00.000Z')
  assert.equal(iso(at(Date.parse('2026-03-29T02:30:00Z'))), '2026-03-29T01:30:00.000Z')
})

it('the offsets of a stretch of time are those of the clocks, in every zone', () => {
  const [startMs, endMs] = [Date.UTC(2024, 11, 30), Date.UTC(2026, 6, 1)]
  for (const zone of zones) {
    const offsets = clockOffsets(zone, startMs, endMs)
    assert.ok((offsets.at(-1)?.untilMs ?? 0) >= endMs)
    for (let ms = startMs; ms < endMs; ms += 61 * 3_600_000) {
      const offset = offsets.find(({ untilMs }) => ms < untilMs)?.offsetMs
      assert.equal(offset, wallClock(zone, ms) - ms, `${zone} ${iso(ms)}`)
    }
  }
  assert.deepEqual(
    clockOffsets('UTC', 0, endMs).map(({ offsetMs }) => offsetMs),
    [0],
  )
  assert.deepEqual(
    clockOffsets('Europe/Berlin', Date.UTC(2026, 0), Date.UTC(2026, 11))
      .map(({ untilMs }) => iso(untilMs))
      .slice(0, 2),
    ['2026-03-29T01:00:00.000Z', '2026-10-25T01:00:00.000Z'],
  )
})

it('buckets are named by the day, the Monday, the first of the month', () => {
  const [first, last] = [Date.parse('2025-12-30') / dayMs, Date.parse('2026-02-02') / dayMs]
  assert.equal(bucketDates('day', first, last).length, 35)
  assert.deepEqual(bucketDates('week', first, last), [
    '2025-12-29',
    '2026-01-05',
    '2026-01-12',
    '2026-01-19',
    '2026-01-26',
    '2026-02-02',
  ])
  assert.deepEqual(bucketDates('month', first, last), ['2025-12-01', '2026-01-01', '2026-02-01'])
})

/** Returns the hours and minutes (UTC) at which hours begin. */
function starts(timezone: string, from: string, to: string): string[] {
  return hourStarts(timezone, Date.parse(from), Date.parse(to)).map((ms) => iso(ms).slice(11, 16))
}

it('an hour begins with each full hour of the clocks, and when they are changed', () => {
  const [from, to] = ['2025-10-25T23:30Z', '2025-10-26T02:30Z']
  assert.deepEqual(starts('Europe/Berlin', from, to), ['23:00', '00:00', '01:00', '02:00'])
  assert.deepEqual(starts('Asia/Kathmandu', from, to), ['23:15', '00:15', '01:15', '02:15'])
  // Clocks go back by half an hour, from 2:00 to 1:30.
  const back = (start: string) => starts('Australia/Lord_Howe', start, '2026-04-04T16:00Z')
  assert.deepEqual(back('2026-04-04T13:00Z'), ['13:00', '14:00', '15:00', '15:30'])
  assert.deepEqual(back('2026-04-04T15:10Z'), ['15:00', '15:30'])
})
