import { resolve } from 'node:path'
import { pageLanguages } from '@everscan/contract/code-types/page-languages.ts'
import { listAllOrganizations } from '../catalogue/installation/installation-lists.ts'
import { countText } from '../amounts.ts'
import { staticFiles } from '../product/static-site/static-files.ts'
import { writeSite } from '../product/static-site/write-site.ts'
import type { Action } from './command.ts'
import { chooseOrganization, withCatalogue } from './open-catalogue.ts'

const write: Action = {
  words: 'export',
  summary: 'Write files with which any web server answers the codes without Everscan',
  details: [
    'nginx and Caddy answer with the same redirects and pages; an object store needs no settings. README.txt in the folder says how, and what',
    'such a site cannot do. Called again, it writes what has changed since, and deletes what is gone. STATIC_EXPORT_DIR does this by itself.',
  ],
  arguments: [
    {
      name: 'ORG',
      meaning: 'Slug or id of an organization. Default: all of this installation.',
      optional: true,
    },
  ],
  options: [
    {
      name: 'static',
      value: 'DIR',
      meaning: 'The folder. It must be empty, or of an earlier export.',
      required: true,
    },
    {
      name: 'language',
      value: 'CODE',
      meaning: `Language of pages: ${pageLanguages.join(', ')}. Default: en.`,
      read: readLanguage,
    },
  ],
  examples: [
    { command: './everscan export --static /srv/everscan', does: 'the codes of every organization' },
    {
      command: './everscan export my-organization --static /srv/everscan --language de',
      does: 'those of one, with German pages',
    },
  ],
  run: ({ input, readConfig, progress, interrupted, nowMs }) => {
    const config = readConfig()
    return withCatalogue(config, async (db) => {
      const chosen = input.argument('ORG')
      const organizations =
        chosen === '' ? await listAllOrganizations(db) : [await chooseOrganization(db, chosen)]
      const folder = resolve(input.option('static') ?? '')
      const language = pageLanguages.find((one) => one === input.option('language')) ?? 'en'
      const organizationIds = organizations.map(({ id }) => id)
      const { publicUrl, rootUrl } = config
      const files = staticFiles(db, { organizationIds, publicUrl, rootUrl, language, folder, nowMs })
      const counts = await writeSite(folder, files, {
        signal: interrupted(),
        onProgress: (done) => progress(`${countText(done, 'file')} done`),
      })
      progress('')
      return {
        text: `${folder} has ${countText(counts.files, 'file')}: ${counts.written} written, ${counts.deleted} deleted, the others as before. README.txt says how to serve them.`,
        json: { folder, ...counts },
      }
    })
  },
}

function readLanguage(text: string): string {
  if (pageLanguages.some((one) => one === text)) return text
  throw new Error(`must be one of ${pageLanguages.join(', ')}`)
}

export const exportActions: readonly Action[] = [write]
