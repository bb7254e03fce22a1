import { inLanguage } from './chosen-language.ts'

/** Words of importing codes from a file. */
export const importsWords = inLanguage('importsWords', {
  title: 'Import',
  text: 'Create many codes at once from a spreadsheet: an xlsx or CSV file.',
  viewer: 'You need the editor role to import. Past imports are listed here.',
  drop: 'Drop an xlsx or CSV file here',
  choose: 'or choose one',
  dropHint: (rows: string, megabytes: string) => `Up to ${rows} rows and ${megabytes} MB.`,
  another: 'Choose another file',
  size: {
    kilobytes: (written: string) => `${written} KB`,
    megabytes: (written: string) => `${written} MB`,
  },
  problems: {
    tooLarge: (megabytes: string) =>
      `This file is larger than ${megabytes} MB. Split it and import the parts one by one.`,
    oldWorkbook: 'This is an old Excel file (xls). Save it as xlsx or CSV, and drop that file here.',
    empty: 'This file is empty. Its first row must name the columns: see the templates below.',
    unreadable: 'This file is not valid CSV. Is a quotation mark (") missing somewhere?',
  },
  type: 'Type of the codes',
  typeGuessed: 'Detected from the columns of the file.',
  style: 'Style',
  defaultStyle: 'Default style',
  folder: 'Folder',
  noFolder: 'No folder',
  folderHint: 'For rows that name no folder.',
  columns: 'Columns',
  inFile: 'In your file',
  firstValues: 'First values',
  becomes: 'Becomes',
  columnOf: (name: string) => `Becomes, for “${name}”`,
  chooseColumn: 'Choose …',
  ignore: 'Ignore this column',
  repeatedColumn: 'Another column becomes this too.',
  noName: '(no name)',
  unknownColumns: (columns: number) =>
    columns === 1
      ? 'Say what the marked column becomes, or ignore it.'
      : `Say what the ${columns} marked columns become, or ignore them.`,
  ignoreUnknown: (columns: number) => (columns === 1 ? 'Ignore it' : `Ignore all ${columns}`),
  missingColumns: (type: string, names: string) =>
    `“${type}” also needs: ${names}. Choose which column has it, or choose another type above.`,
  checking: 'Checking every row. Nothing is created yet.',
  allFine: (rows: number, written: string) =>
    rows === 1
      ? 'The row is valid. Nothing is created yet.'
      : `All ${written} rows are valid. Nothing is created yet.`,
  noRows: 'There are no rows below the column names.',
  someFine: (fine: string, wrong: number, written: string) =>
    `${fine} valid, ${wrong === 1 ? '1 row has' : `${written} rows have`} a problem. Repair what you want to keep: the rest is skipped.`,
  noneFine: 'No row can be imported as it is. Repair the rows below.',
  rows: (rows: number, written: string) => (rows === 1 ? '1 row' : `${written} rows`),
  start: (codes: string) => `Import ${codes}`,
  codes: (codes: number, written: string) => (codes === 1 ? '1 code' : `${written} codes`),
  errors: {
    title: 'Rows with problems',
    hint: 'Type the right values here: no need to change the file. Enter goes to the next one.',
    line: (written: string) => `Line ${written}`,
    tooLong: 'It is too long to repair here: download it.',
    showMore: (written: string) => `Show more (${written})`,
    more: (written: string) => `and ${written} more, all of them in the download`,
    checkAgain: 'Check again',
    discard: 'Discard my changes',
    importRepaired: (rows: number) => (rows === 1 ? 'Import 1 repaired row' : `Import ${rows} repaired rows`),
    download: 'Download these rows',
  },
  job: {
    back: 'Import another file',
    pending: 'Waiting to start …',
    running: (done: string, of: string) => `${done} of ${of} rows`,
    progress: 'Import progress',
    cancel: 'Stop the import',
    cancelTitle: 'Stop this import?',
    cancelText: 'Codes that are already created stay. The remaining rows are not imported.',
    checked: (rows: string) => `Checked: ${rows} valid`,
    completed: (codes: string) => `${codes} imported`,
    rejected: (rows: string) => `${rows} skipped`,
    cancelled: (codes: string) => `Stopped after ${codes}`,
    failed: 'This import failed',
    show: 'Show the codes',
    noFile: 'Unnamed file',
  },
  templates: 'Templates',
  templatesText: 'A file with the right columns and an example row, for each type of code.',
  template: (type: string) => `Template for ${type}`,
  history: 'Past imports',
  noHistory: 'Your imports will be listed here.',
  statuses: {
    PENDING: 'Waiting',
    PROCESSING: 'Running',
    COMPLETED: 'Done',
    FAILED: 'Failed',
    CANCELLED: 'Stopped',
  },
  checked: 'Check only',
})
