import { readAll } from '@everscan/client/streamed-files.ts'
import { documentedOperations } from '../../src/api/testing/operations.ts'
import { workbookOf } from '../../src/api/testing/workbooks.ts'
import { filesOfZip, zipOf } from '../../src/api/testing/zip.ts'
import { moveSources } from '@everscan/contract/moves/move-sources.ts'
import type { Stranger } from './callers.ts'
import type { Victim } from './victim.ts'

/** A file to send, with the fields beside it. */
export type ForeignFile = { operationId: string; path: string; form: FormData; bySession: boolean }

type Made = {
  bytes: Buffer | string
  name: string
  fields?: Readonly<Record<string, string>>
  query?: string
  bySession?: true
}
type Make = (victim: Victim, stranger: Stranger) => Promise<Made[]>

/** Files of a stranger with words of the victim, by the operation that takes them. */
const makes: Readonly<Record<string, Make>> = {
  startImport: async (victim) => (await tables(victim)).map((file) => ({ ...file, fields: { type: 'URL' } })),
  previewImport: tables,
  startMove: async (victim) => {
    const slugs = victim.shortUrls.map(([host, path]) => [`http://${host}${path}`, path.slice(1)])
    const links = [
      ['Short URL', 'short_url', 'slug', 'Long URL', 'url', 'title'],
      ...slugs.map(([short, slug]) => [
        short,
        short,
        slug,
        'https://stranger.example/',
        'https://stranger.example/',
        'Theirs',
      ]),
    ]
    const bytes = links.map((cells) => cells.join(',')).join('\n')
    const mapping = JSON.stringify({ shortCode: ['slug'], destination: ['url'] })
    const domains = victim.ids.filter((id) => id.startsWith('dom_'))
    return moveSources.flatMap((source) =>
      [...domains, victim.claimedId, 'none'].flatMap((domainId) => [
        { bytes, name: 'links.csv', fields: { source, domainId } },
        { bytes, name: 'links.csv', fields: { source, domainId, mapping } },
      ]),
    )
  },
  startArchiveImport: async (victim, stranger) => {
    const files = await archives(victim)
    const organizations = [stranger.orgId, victim.orgId].map((id) => `&organizationId=${id}`)
    return files.flatMap((bytes) => [
      ...organizations.map((query) => ({ bytes, name: 'theirs.zip', query: `?leaveOut=true${query}` })),
      ...['?dryRun=true', '?leaveOut=true', '?leaveOut=true'].map(
        (query) => ({ bytes, name: 'theirs.zip', query, bySession: true }) as const,
      ),
    ])
  },
}

/**
 * Returns the files of every operation that takes one. Throws if one is missing here: what a new
 * door lets in must be tried too.
 */
export async function foreignFiles(victim: Victim, stranger: Stranger): Promise<ForeignFile[]> {
  const files: ForeignFile[] = []
  for (const { id, path } of documentedOperations().filter(({ takesFile }) => takesFile)) {
    const make = makes[id]
    if (make === undefined) throw new Error(`no file of a stranger is known for ${id}`)
    for (const { bytes, name, fields = {}, query = '', bySession = false } of await make(victim, stranger)) {
      const form = new FormData()
      for (const [field, value] of Object.entries(fields)) form.append(field, value)
      form.append('file', new File([new Uint8Array(Buffer.from(bytes))], name))
      files.push({ operationId: id, path: path.replace('{orgId}', stranger.orgId) + query, form, bySession })
    }
  }
  return files
}

async function tables(victim: Victim): Promise<Made[]> {
  const rows = [
    ['name', 'url', 'shortCode', 'domain', 'folder', 'tags'],
    ...victim.shortUrls.flatMap(([, path]) =>
      [victim.proved, victim.claimed, ''].map((host) => [
        'Theirs',
        'https://stranger.example/',
        path.slice(1),
        host,
        'Spring campaign',
        'spring',
      ]),
    ),
  ]
  return [
    { bytes: rows.map((cells) => cells.join(',')).join('\n'), name: 'codes.csv' },
    { bytes: await workbookOf(rows), name: 'codes.xlsx' },
  ]
}

/**
 * The victim's own archive, the same as of an organization of the year 2000 with other codes on its
 * host, and the same with its codes on the host that it only claimed.
 */
async function archives(victim: Victim): Promise<Buffer[]> {
  const bytes = Buffer.from(await readAll(await victim.client.organizations.export(victim.orgId)))
  const files = [...(await filesOfZip(bytes))].map(([name, file]) => [name, file.toString()] as const)
  const forged = (forge: (text: string) => string): Promise<Buffer> =>
    zipOf(Object.fromEntries(files.map(([name, text]) => [name, forge(text)])))
  return [
    bytes,
    await forged((text) =>
      leadElsewhere(text)
        .replaceAll(/"createdAt": ?"\d{4}/g, '"createdAt":"2000')
        .replaceAll('Victim-', 'Stranger-'),
    ),
    await forged((text) =>
      leadElsewhere(text)
        .replaceAll(victim.proved, victim.claimed)
        .replaceAll(/"codes": ?"canonical"/g, '"codes":"exact"'),
    ),
  ]
}

const leadElsewhere = (text: string): string =>
  text.replaceAll('//victim.example.com/', '//stranger.example/')
