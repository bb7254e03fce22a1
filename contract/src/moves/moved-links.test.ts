import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveCells, movePreviewLink, readMovedLink } from './moved-links.ts'
import { mapMoveColumns, mappingProblems, type MoveSource } from './move-sources.ts'

const nowMs = Date.parse('2026-06-01T00:00:00Z')

/** Reads one row of an export as its product writes it. */
function readRow(source: MoveSource, row: Readonly<Record<string, string>>) {
  const header = Object.keys(row)
  const mapping = mapMoveColumns(source, header)
  assert.deepEqual(mappingProblems(mapping, header), [], source)
  return readMovedLink(moveCells(mapping, header), Object.values(row), nowMs)
}

const menu = {
  shortCode: 'menu',
  destination: 'https://example.com/menu?a=1,2',
  title: 'The menu',
  tags: ['print', 'spring'],
  createdAtMs: Date.parse('2024-03-05T10:20:30Z'),
  scansBefore: 1_234,
}

/** A row of each product, by hand after its documentation and its code. */
const rows: Readonly<Record<MoveSource, Readonly<Record<string, string>>>> = {
  bitly: {
    Link: 'https://bit.ly/3xYzAbC',
    'Custom Link': 'https://go.example.com/menu',
    'Destination URL': menu.destination,
    Title: menu.title,
    Tags: 'print, spring',
    Created: '2024-03-05T10:20:30+0000',
    'Total Engagements': '1,234',
  },
  dub: {
    'Short link': 'https://go.example.com/menu',
    'Destination URL': menu.destination,
    Title: menu.title,
    Description: 'For guests',
    Tags: 'print, spring',
    'Created at': '2024-03-05T10:20:30.000Z',
    Clicks: '1234',
    Leads: '3',
  },
  kutt: {
    address: 'menu',
    target: menu.destination,
    description: menu.title,
    tags: 'print|spring',
    created_at: '2024-03-05T10:20:30.000Z',
    visit_count: '1234',
    link: 'https://kutt.example.com/menu',
  },
  shlink: {
    createdAt: '2024-03-05T10:20:30+00:00',
    domain: 'go.example.com',
    shortCode: 'menu',
    shortUrl: 'https://go.example.com/menu',
    longUrl: menu.destination,
    title: menu.title,
    tags: 'print|spring',
    visits: '1234',
  },
  yourls: {
    keyword: 'menu',
    url: menu.destination,
    title: menu.title,
    timestamp: '2024-03-05 10:20:30',
    ip: '192.0.2.1',
    clicks: '1234',
    tags: 'print;spring',
  },
  shortio: {
    'Original URL': menu.destination,
    Path: 'menu',
    'Short URL': 'https://go.example.com/menu',
    Title: menu.title,
    Tags: 'print,spring',
    'Created at': '2024-03-05T10:20:30.000Z',
    'Human clicks': '1 234',
  },
  rebrandly: {
    id: 'a1',
    title: menu.title,
    slashtag: 'menu',
    destination: menu.destination,
    shortUrl: 'go.example.com/menu',
    tags: 'print,spring',
    createdAt: '2024-03-05T10:20:30.000Z',
    clicks: '1234',
  },
  csv: {
    slug: 'menu',
    url: menu.destination,
    name: menu.title,
    labels: 'print;spring',
    date: 'Mar 5, 2024 10:20:30',
    hits: '1234',
  },
}

for (const [source, row] of Object.entries(rows))
  test(`a row of ${source} is read as it is written`, () => {
    assert.deepEqual(readRow(source as MoveSource, row), { link: menu, problems: [], codeInFile: 'menu' })
  })

test('a link of Bitly without a custom back-half has its own', () => {
  const row = { ...rows.bitly, 'Custom Link': '' }
  assert.equal(readRow('bitly', row).link.shortCode, '3xYzAbC')
})

test('a mapping replaces what is recognized, and an empty list leaves a field out', () => {
  const header = ['Code', 'url', 'Where', 'date']
  const chosen = { shortCode: ['Code'], destination: ['Where'], createdAt: [] }
  const mapping = mapMoveColumns('csv', header, chosen)
  assert.deepEqual(mapping, { ...chosen, title: [], tags: [], clicks: [] })
  const cells = moveCells(mapping, header)
  const { link, problems } = readMovedLink(cells, ['menu', 'x', 'https://example.com', 'soon'], nowMs)
  assert.deepEqual(problems, [])
  assert.deepEqual(
    [link.title, link.destination, link.createdAtMs],
    ['menu', 'https://example.com', undefined],
  )
})

const problemsOf = (chosen: object) => mappingProblems(mapMoveColumns('csv', ['a', 'b'], chosen), ['a', 'b'])

test('a mapping must name columns of the file, and both fields that every link needs', () => {
  assert.deepEqual(
    problemsOf({}).map(({ field }) => field),
    ['shortCode', 'destination'],
  )
  const [wrong] = problemsOf({ shortCode: ['a'], destination: ['c'] })
  assert.deepEqual(wrong, {
    field: 'destination',
    problem: 'columnNotInFile',
    values: { column: 'c' },
    message: 'names the column "c", which the file does not have',
  })
})

const readCell = (field: string, cell: string) => {
  const row: Record<string, string> = { slug: 'menu', url: 'https://example.com', [field]: cell }
  return readRow('csv', row)
}

test('short codes are those at the end of an address', () => {
  const written = {
    menu: 'menu',
    '/menu/': 'menu',
    'http://go.example.com/menu?utm=1#a': 'menu',
    'go.example.com/menu': 'menu',
    '//go.example.com/m%65nu': 'menu',
    'Aa-1': 'Aa-1',
  }
  for (const [cell, shortCode] of Object.entries(written)) {
    const { link, problems } = readCell('slug', cell)
    assert.deepEqual([link.shortCode, problems], [shortCode, []], cell)
  }
})

test('codes that cannot be here are refused with the reason', () => {
  const wrong = {
    '': /is empty/,
    'https://go.example.com': /is empty/,
    abc: /4 to 32 letters/,
    'über-uns': /4 to 32 letters/,
    'https://go.example.com/a/b': /"a\/b" cannot be a short code/,
    ['x'.repeat(33)]: /4 to 32 letters/,
    login: /is a path of this service/,
    '%zz1': /4 to 32 letters/,
  }
  for (const [cell, message] of Object.entries(wrong)) {
    const { link, problems } = readCell('slug', cell)
    assert.equal(link.shortCode, '', cell)
    assert.equal(problems.length, 1, cell)
    assert.equal(problems[0]?.field, 'shortCode')
    assert.match(problems[0].message, message, cell)
  }
})

test('a preview shows the short code that a link had, and why it cannot come', () => {
  const had = { 'https://go.example.com/a/b': 'a/b', abc: 'abc', login: 'login', '': '' }
  for (const [cell, code] of Object.entries(had)) {
    const { shortCode, problem, title } = movePreviewLink(2, readCell('slug', cell))
    assert.equal(shortCode, code)
    assert.equal(title, code, 'without a title it is the name')
    assert.match(problem ?? '', /^shortCode: /)
  }
  const fine = movePreviewLink(2, readRow('csv', rows.csv))
  assert.deepEqual(fine, {
    line: 2,
    shortCode: 'menu',
    destination: menu.destination,
    title: menu.title,
    tags: menu.tags,
    createdAt: '2024-03-05T10:20:30.000Z',
    scansBefore: 1_234,
    problem: null,
    details: [],
  })
})

test('times are read with their zone, and without one as UTC', () => {
  const times = {
    '2024-03-05': '2024-03-05T00:00:00.000Z',
    '2024-03-05 10:20': '2024-03-05T10:20:00.000Z',
    '2024-03-05T10:20:30.5': '2024-03-05T10:20:30.500Z',
    '2024-03-05T10:20:30+02:00': '2024-03-05T08:20:30.000Z',
    '2024-03-05 10:20:30 UTC': '2024-03-05T10:20:30.000Z',
    '1709634030': '2024-03-05T10:20:30.000Z',
    '1709634030000': '2024-03-05T10:20:30.000Z',
    '5 March 2024': '2024-03-05T00:00:00.000Z',
  }
  for (const [cell, time] of Object.entries(times)) {
    const { link, problems } = readCell('date', cell)
    assert.deepEqual(problems, [], cell)
    assert.equal(new Date(link.createdAtMs ?? 0).toISOString(), time, cell)
  }
  for (const cell of ['2024-02-30', '03/05/2024', 'yesterday', '2026-06-02', '1969-12-31'])
    assert.equal(readCell('date', cell).problems[0]?.field, 'createdAt', cell)
})

test('counts have separators of thousands, and nothing else', () => {
  const counts = { '': 0, '0': 0, '12,345,678': 12_345_678, "1'234": 1_234, '1\u202f234': 1_234 }
  for (const [cell, count] of Object.entries(counts)) {
    const { link, problems } = readCell('clicks', cell)
    assert.deepEqual([link.scansBefore, problems], [count, []], cell)
  }
  for (const cell of ['-1', '1.5', '1,23', 'many', '9'.repeat(16)])
    assert.equal(readCell('clicks', cell).problems[0]?.field, 'clicks', cell)
})

test('titles are one line and cut, and formulas of spreadsheets are text', () => {
  assert.equal(readCell('title', 'A\r\n  page\u2028of\tours ').link.title, 'A page of ours')
  assert.equal(readCell('title', '😀'.repeat(300)).link.title, '😀'.repeat(255))
  assert.equal(readCell('title', "'=SUM(A1)").link.title, '=SUM(A1)')
  assert.equal(readCell('title', '=SUM(A1)').link.title, '=SUM(A1)')
  assert.equal(readCell('title', 'x'.repeat(20_000)).problems[0]?.field, 'title')
})

test('a row that ends early is refused by the field that it lacks', () => {
  const header = ['slug', 'url', 'title']
  const cells = moveCells(mapMoveColumns('csv', header), header)
  assert.deepEqual(readMovedLink(cells, ['menu'], nowMs).problems, [
    { field: 'destination', problem: 'cellEmpty', values: {}, message: 'is empty' },
  ])
})
