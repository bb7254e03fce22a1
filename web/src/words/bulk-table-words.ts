import { inLanguage } from './chosen-language.ts'

// Words of the page that changes many codes in a table.

export const tableWords = inLanguage('tableWords', {
  title: 'Edit in a table',
  codes: (codes: number, written: string) => (codes === 1 ? '1 code' : `${written} codes`),
  back: 'All codes',
  none: {
    title: 'No codes to edit',
    text: 'Select codes in the list and choose “Edit in a table”, or upload a CSV file that you downloaded here.',
    link: 'Go to the list',
  },
  columns: {
    name: 'Name',
    url: 'Destination',
    folder: 'Folder',
    tags: 'Tags',
    look: 'Look',
  },
  cell: (column: string, name: string) => `${column} of ${name}`,
  changed: (before: string) => `Changed. Before: ${before === '' ? 'empty' : before}`,
  edit: 'Edit',
  openEditor: (name: string) => `Edit ${name} in the editor`,
  noFolder: 'No folder',
  ownLook: 'Own look',
  plainLook: 'Plain',
  hint: 'Enter goes to the next row, Esc brings the old value back. A column pasted from a spreadsheet fills the rows below.',
  tools: 'Change all codes',
  toolNames: {
    replace: 'Find and replace',
    utm: 'UTM',
    folder: 'Folder',
    tags: 'Tags',
    look: 'Look',
    csv: 'CSV',
  },
  replace: {
    find: 'Find in destinations',
    replace: 'Replace with',
    ignoreCase: 'Ignore case',
    apply: (codes: number, written: string) => `Replace in ${codes === 1 ? '1 code' : `${written} codes`}`,
    none: 'No destination contains this text.',
    start: 'Type a part of the addresses, such as the host. You see each change before anything is saved.',
  },
  utm: {
    template: 'Template',
    noTemplate: 'Own values',
    fields: {
      source: 'Source',
      medium: 'Medium',
      campaign: 'Campaign',
      term: 'Term',
      content: 'Content',
    },
    hint: '{name}, {shortCode} and {folder} stand for those of each code.',
    existing: 'Existing UTM values',
    modes: { replace: 'Replace', keep: 'Keep' },
    apply: (codes: number, written: string) => `Add to ${codes === 1 ? '1 code' : `${written} codes`}`,
    none: 'No destination changes.',
    start: 'Choose a template or fill in a value.',
    templateName: 'Name of the template',
    save: 'Save as template',
    saved: (name: string) => `Template ${name} saved`,
    update: 'Update template',
    updated: (name: string) => `Template ${name} updated`,
    delete: 'Delete template',
    deleted: (name: string) => `Template ${name} deleted`,
  },
  folder: { choose: 'Folder for all', apply: 'Set folder' },
  tags: { add: 'Add tags', remove: 'Remove tags', hint: 'Separate tags with commas.', apply: 'Change tags' },
  look: { choose: 'Look for all', apply: 'Set look' },
  csv: {
    text: 'Download the table, edit it in a spreadsheet and upload it again. Rows are matched by ID, or by short code and domain.',
    download: 'Download as CSV',
    upload: 'Upload CSV',
    forImportText:
      'To create these codes elsewhere, download a file that an import reads. Rules, access and looks are not in it.',
    forImport: (type: string) => `For an import: ${type}`,
    leftOut: (codes: number, written: string) =>
      codes === 1
        ? '1 code is not in the file: columns cannot hold all of it.'
        : `${written} codes are not in the file: columns cannot hold all of them.`,
    fileName: 'codes.csv',
    title: 'Changes in the file',
    apply: (changes: number, written: string) =>
      changes === 1 ? 'Put 1 change into the table' : `Put ${written} changes into the table`,
    noChanges: 'The file changes nothing.',
    problems: (problems: number, written: string) =>
      problems === 1 ? '1 cell or row cannot be used:' : `${written} cells or rows cannot be used:`,
    row: (row: number, what: string) => `Row ${row}: ${what}`,
    noKey: 'The first row needs a column “id” or “shortCode”.',
    unreadable: 'This is not a CSV file that can be read. Save the sheet as CSV first.',
    tooLarge: (rows: string) => `The file is too large: at most ${rows} codes.`,
    unknownCode: (key: string) => `no code here is called ${key}`,
    missingKey: 'it has neither an ID nor a short code',
    twice: 'its code is in an earlier row',
    notALink: 'this code has no destination to change',
    unknownFolder: (name: string) => `there is no folder ${name}`,
    unknownLook: (name: string) => `there is no saved style ${name}`,
  },
  preview: {
    label: 'Changes',
    count: (changes: number, written: string) =>
      changes === 1 ? '1 destination changes:' : `${written} destinations change:`,
    cells: (changes: number, written: string) =>
      changes === 1 ? '1 cell changes:' : `${written} cells change:`,
    more: (written: string) => `and ${written} more`,
    before: 'before',
    after: 'after',
    empty: 'empty',
  },
  bad: {
    name: 'A name is required.',
    nameLong: (chars: number) => `At most ${chars} characters.`,
    tagLong: (chars: number) => `A tag can have at most ${chars} characters.`,
    tagsMany: (tags: number) => `At most ${tags} tags.`,
  },
  unsaved: (cells: number, written: string) =>
    cells === 0 ? 'No changes' : cells === 1 ? '1 changed cell' : `${written} changed cells`,
  discard: 'Discard',
  discarded: 'Changes discarded',
  pasteProblem: (name: string, why: string) => `Not pasted at ${name}: ${why}`,
  save: (codes: number, written: string) => (codes === 1 ? 'Save 1 code' : `Save ${written} codes`),
  nothing: 'Save',
  fix: (cells: number, written: string) => (cells === 1 ? 'Fix 1 cell first' : `Fix ${written} cells first`),
  done: (codes: string) => `${codes} changed`,
  undone: 'Undone',
  left: (rows: number, written: string) =>
    rows === 1
      ? '1 code was not saved. Its row says why.'
      : `${written} codes were not saved. Their rows say why.`,
  conflict: {
    text: 'Somebody changed this code since you opened it.',
    theirs: 'Take theirs',
    mine: 'Keep mine',
    now: (column: string, value: string) => `${column} is now: ${value === '' ? 'empty' : value}`,
  },
  gone: { text: 'This code was deleted.', remove: 'Remove row' },
})
