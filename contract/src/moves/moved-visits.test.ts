import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMovedVisit, visitCells, visitColumnsProblem } from './moved-visits.ts'

const nowMs = Date.UTC(2026, 10, 26)
const read = (header: readonly string[], cells: readonly string[]) =>
  readMovedVisit(visitCells(header), cells, nowMs)

const problemOf = (code: string, time: string) =>
  (read(['slug', 'date'], [code, time]) as { message?: string }).message

test('the log of YOURLS is read without its addresses', () => {
  const header = 'click_id click_time shorturl referrer user_agent ip_address country_code'.split(' ')
  const cells = ['7', '2024-05-06 07:08:09', 'Poster', 'direct', 'Mozilla/5.0', '203.0.113.9', 'DE']
  assert.deepEqual(read(header, cells), {
    code: 'Poster',
    timeMs: Date.UTC(2024, 4, 6, 7, 8, 9),
    userAgent: 'Mozilla/5.0',
    country: 'DE',
  })
})

test('a list of the command of Shlink is read: names of countries, the short URL at its end', () => {
  const header = ['Referer', 'Date', 'User agent', 'Country', 'City', 'Short url']
  const visit = (...cells: string[]) => read(header, [...cells, 'https://go.example.com/aBc?x=1'])
  const timeMs = Date.UTC(2024, 4, 6, 5, 8, 9)
  const date = '2024-05-06T07:08:09+02:00'
  assert.deepEqual(visit('https://www.Example.org:8443/a?b', date, 'X/1', 'The Netherlands', 'Utrecht'), {
    code: 'aBc',
    timeMs,
    userAgent: 'X/1',
    referrer: 'www.example.org:8443',
    country: 'NL',
    city: 'Utrecht',
  })
  assert.deepEqual(visit('', date, '', 'Unknown', 'Unknown'), { code: 'aBc', timeMs })
  const countriesOf = [
    'United States',
    'Türkiye',
    'Côte d’Ivoire',
    'St Kitts and Nevis',
    'Bosnia & Herzegovina',
  ]
  assert.deepEqual(
    countriesOf.map((name) => (visit('', date, '', name, '') as { country?: string }).country),
    ['US', 'TR', 'CI', 'KN', 'BA'],
  )
})

test('an answer of the API of Shlink is read: the country of its location, and bots', () => {
  const header = ['referer', 'date', 'userAgent', 'visitLocation.countryCode', 'visitLocation.countryName']
  const more = ['visitLocation.regionName', 'potentialBot', 'visitedUrl']
  const cells = ['', '2024-05-06T07:08:09Z', 'curl/8', 'FR', 'France', 'Brittany', 'true']
  assert.deepEqual(read([...header, ...more], [...cells, 'https://go.example.com/abc']), {
    code: 'abc',
    timeMs: Date.UTC(2024, 4, 6, 7, 8, 9),
    userAgent: 'curl/8',
    country: 'FR',
    region: 'Brittany',
    isBot: true,
  })
})

test('a visit without a code or a time, in the future or before 2000 is a problem', () => {
  assert.match(problemOf('', '2024-01-01') ?? '', /no short code/)
  assert.match(problemOf('abc', '') ?? '', /no time/)
  assert.match(problemOf('abc', '0000-00-00 00:00:00') ?? '', /is no date/)
  assert.match(problemOf('abc', '2027-01-01') ?? '', /in the future/)
  assert.match(problemOf('abc', '1969-12-31') ?? '', /before 1970/)
  assert.match(problemOf('abc', '1970-01-01 00:00:01') ?? '', /before the year 2000/)
  assert.equal(problemOf('abc', '2000-01-01'), undefined)
})

test('a file needs columns with the code and the time', () => {
  assert.match(visitColumnsProblem(visitCells(['date']))?.message ?? '', /short code/)
  assert.match(visitColumnsProblem(visitCells(['keyword']))?.message ?? '', /time/)
  assert.equal(visitColumnsProblem(visitCells(['keyword', 'click_time'])), undefined)
})
