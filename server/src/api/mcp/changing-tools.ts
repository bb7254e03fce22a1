import { isDeepStrictEqual } from 'node:util'
import { limits } from '@everscan/contract/schema/limits.ts'
import { strictObject } from '@everscan/contract/schema/common.ts'
import { BatchIds } from '@everscan/contract/resources/batches.ts'
import { StartImportFields, type ImportJob } from '@everscan/contract/resources/bulk-imports.ts'
import { CreateQrCode } from '@everscan/contract/resources/qr-codes.ts'
import { Type, type TObject } from 'typebox'
import { batches } from '@everscan/contract/endpoints/codes/batches.ts'
import { qrCodes } from '@everscan/contract/endpoints/codes/qr-codes.ts'
import { imports } from '@everscan/contract/endpoints/imports/imports.ts'
import { styles } from '@everscan/contract/endpoints/styles/saved-styles.ts'
import type { Input, Tool, ToolCall, ToolResult } from './tool.ts'
import {
  ChangesOutput,
  DataByType,
  fieldsOf,
  importColumnsByType,
  isFixed,
  outputSchema,
  partsOf,
} from './tool-schemas.ts'

type Fields = Record<string, unknown>
type Change = { id?: unknown; before: Fields | null; after: Fields }

const idempotencyKey = Type.Optional(
  Type.String({
    description: 'Any text. A repeat with the same text within 24 hours creates nothing more.',
    minLength: 1,
    maxLength: limits.idempotencyKeyCharsMax,
  }),
)

/** Fields that only exist once a record does. */
const assignedFields = ['id', 'imageUrl', 'createdAt', 'updatedAt']
/** Those, and what follows from a short code that is drawn anew each time. */
const drawnFields = [...assignedFields, 'shortCode', 'shortUrl']

async function createQrCodes({ send, dryRun }: ToolCall, input: Input): Promise<ToolResult> {
  const items = input['qrCodes'] as Fields[]
  const [first] = items
  const once = { idempotencyKey: dryRun ? undefined : input['idempotencyKey'] }
  const created =
    items.length === 1 && first !== undefined
      ? // Only here, a style that does not scan is answered with the nearest one that does.
        [(await send(qrCodes.create, { body: first, ...once })).json()]
      : recordsOf(await send(batches.create, { query: { atomic: true }, body: { qrCodes: items }, ...once }))
  return changesResult(
    dryRun,
    created.map((record, index) => {
      if (!dryRun) return { id: record['id'], before: null, after: record }
      const isChosen = typeof items[index]?.['shortCode'] === 'string'
      return { before: null, after: without(record, isChosen ? assignedFields : drawnFields) }
    }),
  )
}

async function changeQrCode(call: ToolCall, input: Input): Promise<ToolResult> {
  const before = (await call.send(qrCodes.read, { params: { id: input['id'] } })).json()
  const after = (await call.send(qrCodes.update, partsOf(qrCodes.update, input))).json()
  return changesResult(call.dryRun, [difference(before, after)])
}

async function changeQrCodes(call: ToolCall, { ids, updates }: Input): Promise<ToolResult> {
  const unique = [...new Set(ids as string[])]
  const before = new Map<unknown, Fields>()
  for (const id of unique) before.set(id, (await call.send(qrCodes.read, { params: { id } })).json())
  const sent = await call.send(batches.update, { query: { atomic: true }, body: { ids: unique, updates } })
  const after = recordsOf(sent)
  return changesResult(
    call.dryRun,
    after.map((record) => difference(before.get(record['id']) ?? {}, record)),
  )
}

async function saveStyle({ send, dryRun }: ToolCall, input: Input): Promise<ToolResult> {
  const { idempotencyKey: key, ...style } = input
  const once = { idempotencyKey: dryRun ? undefined : key }
  const record = (await send(styles.create, { ...partsOf(styles.create, style), ...once })).json()
  const change: Change = dryRun
    ? { before: null, after: without(record, assignedFields) }
    : { id: record['id'], before: null, after: record }
  return changesResult(dryRun, [change])
}

async function importQrCodes({ send, dryRun }: ToolCall, input: Input): Promise<ToolResult> {
  const { csv, fileName = 'import.csv', idempotencyKey: key, ...fields } = input
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  form.append('dryRun', String(dryRun))
  form.append('file', new File([String(csv)], String(fileName), { type: 'text/csv' }))
  const job = (await send(imports.start, { form, idempotencyKey: key })).json() as ImportJob
  return { data: job }
}

function recordsOf(sent: { json: () => Fields }): Fields[] {
  return sent.json()['data'] as Fields[]
}

/** The fields of a code that differ. */
function difference(before: Fields, after: Fields): Change {
  const changed = Object.keys(after).filter(
    (name) => name !== 'updatedAt' && !isDeepStrictEqual(before[name], after[name]),
  )
  const only = (fields: Fields): Fields =>
    Object.fromEntries(changed.map((name) => [name, fields[name]] as const))
  return { id: after['id'], before: only(before), after: only(after) }
}

function without(record: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)))
}

function changesResult(dryRun: boolean, changes: readonly Change[]): ToolResult {
  return { data: { dryRun, changes } }
}

const changesOutput = outputSchema(ChangesOutput)
/** Creating or changing many: bounded by what a model can read. */
const itemsMax = { minItems: 1, maxItems: limits.mcpBatchMax }
const updateFields = batches.update.body.properties.updates as unknown as TObject

export const changingTools: readonly Tool[] = [
  {
    name: 'create_qr_codes',
    title: 'Create QR codes',
    description: `Creates up to ${limits.mcpBatchMax} QR codes, all or none. For more, use import_qr_codes.`,
    endpoint: batches.create,
    input: strictObject({
      qrCodes: Type.Array(strictObject({ ...CreateQrCode.properties, data: DataByType }), {
        description: 'The codes to create.',
        ...itemsMax,
      }),
      idempotencyKey,
    }),
    output: changesOutput,
    changes: { replaces: false, repeatable: false },
    run: createQrCodes,
  },
  {
    name: 'change_qr_code',
    title: 'Change a QR code',
    description:
      'Changes one QR code: name, content, style, folder, tags, extra fields, status. Fields that are not given stay. "data" is replaced as a whole, so read the code first; "style" and "metadata" merge by key. The printed picture goes on working.',
    endpoint: qrCodes.update,
    input: strictObject(fieldsOf(qrCodes.update)),
    output: changesOutput,
    changes: { replaces: true, repeatable: true },
    run: changeQrCode,
  },
  {
    name: 'change_qr_codes',
    title: 'Change many QR codes',
    description: `Changes up to ${limits.mcpBatchMax} QR codes in the same way, all or none: moves them to a folder, adds or removes tags, gives them a style, archives them.`,
    endpoint: batches.update,
    input: strictObject({
      ids: Type.Array(BatchIds.items, { description: 'Identifiers of the codes.', ...itemsMax }),
      updates: strictObject(
        Object.fromEntries(Object.entries(updateFields.properties).filter(([, schema]) => !isFixed(schema))),
        { description: 'The change, for each of the codes.', minProperties: 1 },
      ),
    }),
    output: changesOutput,
    changes: { replaces: true, repeatable: true },
    run: changeQrCodes,
  },
  {
    name: 'save_style',
    title: 'Check and save a style',
    description:
      'Saves a style under a name, for use as "styleId". Its picture is drawn and decoded first: a style that does not scan is refused, with the nearest change that does. With "dryRun" this only checks a style.',
    endpoint: styles.create,
    input: strictObject({ ...fieldsOf(styles.create), idempotencyKey }),
    output: changesOutput,
    changes: { replaces: false, repeatable: false },
    run: saveStyle,
  },
  {
    name: 'import_qr_codes',
    title: 'Import QR codes from CSV',
    description: `Starts an import of many QR codes of one type, up to ${limits.importRowsMax} rows, in the background; get_import returns its progress. A dry run is an import that checks every row and creates no codes. The first row of the CSV names the columns. Columns by type (* required): ${importColumnsByType}. Tags in a cell are separated by semicolons; folders are made when missing; createdAt is ISO 8601 and past; status is ACTIVE or ARCHIVED.`,
    endpoint: imports.start,
    input: strictObject({
      type: StartImportFields.properties.type,
      csv: Type.String({ description: 'The CSV, with its header row.', minLength: 1 }),
      fileName: Type.Optional(
        Type.String({ description: 'Name of the file, for the list of imports.', maxLength: 200 }),
      ),
      styleId: StartImportFields.properties.styleId,
      folderId: StartImportFields.properties.folderId,
      idempotencyKey,
    }),
    ...(imports.start.response !== undefined && { output: outputSchema(imports.start.response) }),
    changes: { replaces: false, repeatable: false, ownDryRun: true },
    run: importQrCodes,
  },
]
