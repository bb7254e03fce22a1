import {
  StartArchiveImportQuery,
  StartArchiveImportForm,
  ArchiveImport,
  archivedIdColumns,
} from '../../archives/archive-imports.ts'
import { RecordParams } from '../../schema/common.ts'
import { endpoint } from '../endpoint.ts'

const tag = 'Organizations'

export const archiveImports = {
  start: endpoint({
    id: 'startArchiveImport',
    call: 'byHand',
    method: 'POST',
    path: '/organizations/imports',
    role: 'anyCaller',
    scope: 'admin',
    tag,
    summary: 'Import the archive of an organization in the background.',
    description:
      'A session makes a new organization of the archive, or fills an empty one of which it is ADMIN; an API key fills the empty organization that it belongs to. Short codes, pictures, history and scans are those of the archive, and so are the times of creation of its records. All identifiers are new: `ids.csv` of the job maps them. Accounts, members, keys and secrets are not in it: webhooks arrive disabled, with new secrets. Every line is checked before anything is written, and until this is answered the import ends with its client. 409 names the lines that cannot be taken, such as short codes that are assigned here; `dryRun` lists them alone, and `leaveOut` imports the others. 409 also if the organization is not empty.',
    query: StartArchiveImportQuery,
    form: StartArchiveImportForm,
    takes: 'uploads',
    status: 202,
    createdNothing: ({ id }) => id === null,
    response: ArchiveImport,
    responseHeaders: { Location: 'URL of the job. Absent after a dry run, which has status 200.' },
    errors: [409],
  }),

  read: endpoint({
    id: 'readArchiveImport',
    call: 'organizations.readImport',
    method: 'GET',
    path: '/organizations/:orgId/imports/:id',
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'Read the import of an archive: its progress, and the lines that were left out.',
    params: RecordParams,
    tellsOfWork: true,
    status: 200,
    response: ArchiveImport,
  }),

  idsCsv: endpoint({
    id: 'downloadArchivedIds',
    call: 'organizations.importedIds',
    method: 'GET',
    path: '/organizations/:orgId/imports/:id/ids.csv',
    role: 'ADMIN',
    scope: 'admin',
    tag,
    summary: 'Download which identifier each record of an archive got, as CSV.',
    description: `The columns are ${archivedIdColumns.join(' and ')}: the identifier in the archive, and the one that the record has here. The organization comes first, and rules last.`,
    params: RecordParams,
    takes: 'downloads',
    status: 200,
    produces: ['text/csv'],
    responseHeaders: { 'Content-Disposition': 'A file name.' },
  }),
}
