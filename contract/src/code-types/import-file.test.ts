import assert from 'node:assert/strict'
import { test } from 'node:test'
import { writeImportFile, type ExportedCode } from './import-file.ts'

const base: ExportedCode = {
  type: 'URL',
  name: 'A, "quoted"',
  data: { url: 'https://example.com/' },
  tags: ['a', 'b'],
  shortCode: 'Menu-1',
  createdAt: '2024-02-29T09:30:00.000Z',
  status: 'ARCHIVED',
  metadata: { OrderNo: '=1+1' },
  folder: 'Spring',
  domain: 'go.example.com',
}

test('every column of the type and of metadata, quoted, with escapes that an import removes', () => {
  const { csv, leftOut } = writeImportFile('URL', [base, { ...base, metadata: { orderNo: 'x' }, name: 'B' }])
  assert.equal(leftOut, 0)
  assert.deepEqual(csv.split('\r\n'), [
    'name,url,folder,tags,shortCode,domain,createdAt,status,metadata.OrderNo,metadata.orderNo',
    `"A, ""quoted""",https://example.com/,Spring,"a;b",Menu-1,go.example.com,2024-02-29T09:30:00.000Z,ARCHIVED,'=1+1,`,
    'B,https://example.com/,Spring,"a;b",Menu-1,go.example.com,2024-02-29T09:30:00.000Z,ARCHIVED,,x',
    '',
  ])
})

test('a code that columns cannot describe is left out and counted', () => {
  const social = (links: object[], more = {}): ExportedCode => ({
    ...base,
    type: 'SOCIAL',
    data: { links, ...more },
  })
  const x = { platform: 'x', url: 'https://x.com/a' }
  const left: ExportedCode[] = [
    { ...base, type: 'MENU', data: { title: 'Menu', sections: [] } },
    { ...base, type: 'MENU', data: { url: 'https://example.com/', title: 'Menu' } },
    { ...base, tags: ['a;b'] },
    { ...base, metadata: { ' a': 'x' } },
    social([{ ...x, label: 'Me' }]),
    social([x, x]),
    social([{ ...x, platform: 'mastodon' }]),
    social([{ ...x, platform: 'title' }]),
  ]
  for (const code of left)
    assert.equal(writeImportFile(code.type, [code]).leftOut, 1, JSON.stringify(code.data))
  assert.equal(writeImportFile('WIFI', [base]).leftOut, 1)
  const { csv, leftOut } = writeImportFile('SOCIAL', [social([x], { title: 'Us' })])
  assert.equal(leftOut, 0)
  assert.match(csv, /\r\n"A, ""quoted""",Us,,,,https:\/\/x\.com\/a,/)
})
