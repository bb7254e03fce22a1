import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TypedQrCode } from '@everscan/client/create-client.ts'
import { bulkRow, restoring, rowProblems, updatesOf, withCell, type BulkRow } from './bulk-rows.ts'
import { readBulkCsv, writeBulkCsv } from './bulk-csv.ts'
import { replacedDestinations, utmDestinations } from './destinations.ts'

const red = {
  id: 'sty_1',
  name: 'Red',
  style: { foregroundColor: '#8B0000' },
  isDefault: false,
  createdAt: '',
  updatedAt: '',
}
const folders = [
  { id: 'fld_1', name: 'Spring', label: 'Spring' },
  { id: 'fld_2', name: 'Posters', label: 'Spring / Posters' },
]

function rowOf(changes: Partial<TypedQrCode> & { url?: string } = {}): BulkRow {
  const { url = 'https://old.example/a', ...rest } = changes
  const code = {
    id: 'qr_1',
    type: 'URL',
    name: 'Table 4',
    shortCode: 'ABC2345',
    data: { url },
    style: {},
    folderId: null,
    domainId: null,
    shortUrl: `https://qr.example.com/${rest.shortCode ?? 'ABC2345'}`,
    tags: ['a'],
    ...rest,
  } as TypedQrCode
  return bulkRow(code, '"1"', [red])
}

const afterOf = (changes: { after: string }[]) => changes.map(({ after }) => after)

test('find and replace is plain text, each occurrence, with or without case', () => {
  const rows = [
    rowOf({ url: 'https://Old.example/old.example?x=old' }),
    rowOf({ type: 'TEXT', data: { text: 'old' } } as never),
  ]
  const find = (options: object) =>
    afterOf(replacedDestinations(rows, { find: 'old', replace: '$&n', ignoreCase: false, ...options }))
  assert.deepEqual(find({}), ['https://Old.example/$&n.example?x=$&n'])
  assert.deepEqual(find({ ignoreCase: true }), ['https://$&n.example/$&n.example?x=$&n'])
  assert.deepEqual(find({ find: 'd.e' }), ['https://Ol$&nxample/ol$&nxample?x=old'])
  assert.deepEqual(find({ find: '' }), [])
  assert.deepEqual(find({ find: '(' }), [])
})

test('UTM parameters are added, replaced or kept; all else stays as it is written', () => {
  const values = {
    source: 'flyer',
    medium: '',
    campaign: '{folder}',
    term: '',
    content: '{name} {shortCode}',
  }
  const add = (url: string, mode: 'replace' | 'keep') =>
    afterOf(
      utmDestinations([rowOf({ url, folderId: 'fld_1' })], {
        values,
        mode,
        folderName: () => 'Spring & more',
      }),
    )
  const added = 'utm_campaign=spring-more&utm_content=table-4%20ABC2345'
  assert.deepEqual(add('https://a.example/x?b=%20+c#d?e', 'replace'), [
    `https://a.example/x?b=%20+c&utm_source=flyer&${added}#d?e`,
  ])
  const old = 'https://a.example/?utm_source=web&b=1&utm_source=two'
  assert.deepEqual(add(old, 'replace'), [`https://a.example/?utm_source=flyer&b=1&${added}`])
  assert.deepEqual(add(old, 'keep'), [`${old}&${added}`])
  assert.deepEqual(add('not an address', 'replace'), [])
})

test('a changed cell is sent and can be brought back; the old value is no change', () => {
  const row = rowOf({ style: { dotStyle: 'dots' } })
  assert.deepEqual(
    [row.base.look, rowOf({ style: red.style }).base.look, rowOf().base.look],
    ['own', 'sty_1', 'plain'],
  )
  const changed = withCell(withCell(withCell(row, 'url', 'new.example'), 'tags', 'b, a,,b'), 'look', 'sty_1')
  assert.deepEqual(updatesOf(changed), {
    data: { url: 'https://new.example' },
    tags: ['b', 'a'],
    styleId: 'sty_1',
  })
  assert.deepEqual(restoring(row.code, ['url', 'tags', 'look']), {
    data: row.code.data,
    tags: ['a'],
    styleId: null,
    style: { dotStyle: 'dots' },
  })
  assert.deepEqual(withCell(changed, 'url', row.base.url).changes, { tags: 'b, a,,b', look: 'sty_1' })
})

const bad = (field: 'name' | 'url' | 'tags', value: string) =>
  rowProblems(withCell(rowOf(), field, value))[field] ?? ''

test('bad cells are found before saving', () => {
  assert.match(bad('url', 'javascript:alert(1)'), /https?/)
  assert.match(bad('url', ''), /required/)
  assert.match(bad('name', ' '), /name/)
  assert.match(bad('name', 'x'.repeat(300)), /255/)
  assert.match(bad('tags', 'x'.repeat(51)), /50/)
  assert.equal(bad('url', 'example.com'), '')
})

test('a downloaded file that is uploaded again changes nothing, whatever its cells contain', async () => {
  const rows = [
    rowOf({ name: '=HYPERLINK("x")', tags: ['-a', 'b;c'], folderId: 'fld_2' }),
    rowOf({ id: 'qr_2', shortCode: 'DEF', name: `'=quoted "x"\n`, url: 'https://a.example/?a=1,2' }),
  ]
  const csv = writeBulkCsv(rows, { folders, styles: [red] })
  assert.match(csv, /"?'=HYPERLINK/)
  const read = await readBulkCsv(new Blob(['\ufeff', csv]), {
    rows,
    folders,
    styles: [red],
    find: async () => [],
  })
  assert.deepEqual(read, { problem: undefined, added: [], changes: [], problems: [] })
})

test('an edited file is matched by id or short code, and problems name the row of the spreadsheet', async () => {
  const rows = [rowOf(), rowOf({ id: 'qr_2', shortCode: 'DEF2345' })]
  const text = [
    'sep=;',
    'shortCode;id;Name;url;folder;tags;look;comment',
    ';qr_1;"New\nname";https://new.example;spring / POSTERS;x;Red;c',
    'def2345;;;https://old.example/a;Nowhere;a;Plain',
    ';qr_1;Again;;;;',
    'GONE234;;A;https://a.example;;;',
    ';;x;;;;',
    ';;;;;;',
  ].join('\r\n')
  const read = await readBulkCsv(new Blob([text]), { rows, folders, styles: [red], find: async () => [] })
  assert.ok(read.problem === undefined)
  assert.deepEqual(
    read.changes.map(({ row, id, field, value }) => [row, id, field, value]),
    [
      [3, 'qr_1', 'name', 'New\nname'],
      [3, 'qr_1', 'url', 'https://new.example'],
      [3, 'qr_1', 'folder', 'fld_2'],
      [3, 'qr_1', 'tags', 'x'],
      [3, 'qr_1', 'look', 'sty_1'],
    ],
  )
  assert.deepEqual(
    read.problems.map(({ row }) => row),
    [4, 4, 5, 6, 7],
  )
  const none = await readBulkCsv(new Blob(['name\nx']), { rows, folders, styles: [], find: async () => [] })
  assert.equal(none.problem, 'noKey')
})

test('without ids, rows are matched by short code and domain, exact ones as they are written', async () => {
  const on = (id: string, host: string, shortCode: string) =>
    rowOf({ id, shortCode, domainId: `dom_${host}`, shortUrl: `https://${host}/${shortCode}`, name: id })
  const rows = [
    rowOf({ id: 'qr_own', shortCode: 'MENU', name: 'qr_own' }),
    on('qr_go', 'go.example.com', 'MENU'),
    on('qr_lower', 'old.example.com', 'aBc'),
    on('qr_upper', 'old.example.com', 'AbC'),
  ]
  const names = { folders, styles: [red], exactDomains: new Set(['old.example.com']) }
  const [header = '', ...lines] = writeBulkCsv(rows, names).trimEnd().split('\r\n')
  assert.deepEqual(
    lines.map((line) => line.split(',').at(-1)),
    ['', 'go.example.com', 'old.example.com', 'old.example.com'],
  )
  const asked: string[] = []
  const read = await readBulkCsv(
    new Blob([
      [
        'shortCode,domain,name',
        'menu,,own',
        'menu,GO.example.com,go',
        'aBc,old.example.com,lower',
        'AbC,old.example.com,upper',
        'ABC,old.example.com,nobody',
      ].join('\n'),
    ]),
    {
      ...names,
      rows,
      find: async ({ shortCodes }) => {
        asked.push(...shortCodes)
        return []
      },
    },
  )
  assert.ok(header.endsWith(',domain') && read.problem === undefined)
  assert.deepEqual(
    read.changes.map(({ id, value }) => [id, value]),
    [
      ['qr_own', 'own'],
      ['qr_go', 'go'],
      ['qr_lower', 'lower'],
      ['qr_upper', 'upper'],
    ],
  )
  assert.deepEqual(asked, ['old.example.com/ABC'])
  assert.equal(read.problems.length, 1)
})
