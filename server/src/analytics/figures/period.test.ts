import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../../errors.ts'
import { readPeriod, type PeriodQuery } from './period.ts'

const nowMs = Date.parse('2026-03-15T22:30:00.000Z')

function read(query: PeriodQuery): string[] {
  const { startMs, endMs } = readPeriod(query, nowMs)
  return [startMs, endMs - 1].map((ms) => new Date(ms).toISOString())
}

describe('a period', () => {
  it('is the last 30 days with today when nothing is asked, by the clocks of the zone', () => {
    assert.deepEqual(read({}), ['2026-02-14T00:00:00.000Z', '2026-03-15T23:59:59.999Z'])
    const kolkata = read({ timezone: 'Asia/Kolkata' })
    assert.deepEqual(kolkata, ['2026-02-14T18:30:00.000Z', '2026-03-16T18:29:59.999Z'])
  })

  it('has whole days of dates alone', () => {
    const dates = { startDate: '2026-03-28', endDate: '2026-03-29' }
    assert.deepEqual(read(dates), ['2026-03-28T00:00:00.000Z', '2026-03-29T23:59:59.999Z'])
    const berlin = read({ ...dates, timezone: 'Europe/Berlin' })
    assert.deepEqual(berlin, ['2026-03-27T23:00:00.000Z', '2026-03-29T21:59:59.999Z'])
    assert.deepEqual(read({ endDate: '2026-01-30' })[0], '2026-01-01T00:00:00.000Z')
  })

  it('takes times with a zone, and without one by the clocks of the zone', () => {
    const zoned = { startDate: '2026-03-01T09:30:00.123456Z', endDate: '2026-03-01T12:00+0130' }
    assert.deepEqual(read(zoned), ['2026-03-01T09:30:00.123Z', '2026-03-01T10:30:00.000Z'])
    const local = {
      startDate: '2026-03-01T09:30',
      endDate: '2026-03-01T09:30:00,5',
      timezone: 'America/St_Johns',
    }
    assert.deepEqual(read(local), ['2026-03-01T13:00:00.000Z', '2026-03-01T13:00:00.500Z'])
  })

  it('takes a zone in any letter case', () => {
    assert.equal(readPeriod({ timezone: 'europe/BERLIN' }, nowMs).timezone, 'Europe/Berlin')
  })

  it('400: says which parameter is wrong', () => {
    const wrong: [PeriodQuery, string, RegExp][] = [
      [{ startDate: '2026-02-30' }, 'startDate', /must be a date of the calendar, got "2026-02-30"/],
      [{ endDate: '2026-02-01T24:00' }, 'endDate', /must be a date of the calendar/],
      [{ endDate: 'yesterday' }, 'endDate', /must be an ISO 8601 date/],
      [{ startDate: '1969-12-31' }, 'startDate', /between the years 1970 and 2099/],
      [{ startDate: '0000-00-00' }, 'startDate', /must be a date of the calendar/],
      [{ startDate: '2026-03-02', endDate: '2026-03-01' }, 'startDate', /must not be after "endDate"/],
      [
        { startDate: '2026-03-02', endDate: '2026-03-01T23:00Z' },
        'startDate',
        /^"startDate" must not be after "endDate", got "2026-03-02" and "2026-03-01T23:00Z"$/,
      ],
      [
        { startDate: '2026-03-16' },
        'startDate',
        /^"startDate" must not be after today \(2026-03-15 in UTC\) without "endDate", got "2026-03-16"$/,
      ],
      [
        { startDate: '2099-01-01T10:00Z', timezone: 'asia/tokyo' },
        'startDate',
        /^"startDate" must not be after today \(2026-03-1\d in Asia\/Tokyo\) without "endDate", got "2099-01-01T10:00Z"$/,
      ],
      [{ timezone: 'Mars/Olympus' }, 'timezone', /IANA time zone/],
      [{ timezone: '' }, 'timezone', /IANA time zone/],
    ]
    for (const [query, path, message] of wrong)
      assert.throws(
        () => readPeriod(query, nowMs),
        (error) =>
          error instanceof ApiError &&
          error.status === 400 &&
          error.details?.[0]?.path === path &&
          message.test(error.message),
        JSON.stringify(query),
      )
  })
})
