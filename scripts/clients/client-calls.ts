// Writes `client/src/calls/`: a method of the client for each endpoint, by area. The client has
// code instead of the table, because a browser should not load schemas to call the service.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'oxfmt'
import { endpoints } from '../../contract/src/endpoints/endpoints.ts'
import type { Endpoint } from '../../contract/src/endpoints/endpoint.ts'
import { PageQuery } from '../../contract/src/schema/pages.ts'

const root = join(import.meta.dirname, '..', '..')
const contractDir = join(root, 'contract', 'src')
const commentColumns = 100

/** Types that the client knows better than the schemas: `client/src/exact-types.ts`. */
const exactTypes: Readonly<Record<string, string>> = {
  BatchCreate: '{ qrCodes: AnyCreateQrCode[] }',
  BatchReadResult: 'BatchResultWithEtags',
  BatchResult: 'BatchResult',
  CreateQrCode: 'AnyCreateQrCode',
  QrCode: 'TypedQrCode',
  QrCodePage: 'TypedQrCodePage',
  UpdateQrCode: 'TypedUpdateQrCode',
}

/** Functions and types that the methods use, by file of the client. */
const clientNames: Readonly<Record<string, readonly string[]>> = {
  'calling.ts': [
    'ChangeOptions',
    'CreateOptions',
    'Service',
    'once',
    'readRecord',
    'readText',
    'unlessChanged',
  ],
  'exact-types.ts': Object.values(exactTypes),
  'iterate.ts': ['iterate'],
  'send.ts': ['CallOptions', 'pathOf', 'readJson'],
  'streamed-files.ts': ['StreamedFile', 'streamedFile'],
}

/** A call of the API that becomes the method `area.name` of the client. */
type Call = Endpoint & { area: string; name: string }

/** A name that a file imports. */
type Used = { name: string; from: string }

type TypeOf = (schema: unknown) => string

/** Returns the text of each generated file, by its path. */
export async function clientCalls(): Promise<Record<string, string>> {
  const exported = await exportedSchemas()
  const areas = [...Map.groupBy(calls(), ({ area }) => area)].map(([area, ofArea]) => ({
    name: area.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    ...areaFile(area, ofArea, exported),
  }))
  const named = areas.flatMap(({ used }) => used.filter(({ from }) => from.startsWith('@')))
  const files = [...areas, { name: 'types', text: imports(named).replaceAll(/^import/gm, 'export') }]
  return Object.fromEntries(await Promise.all(files.map(formatted)))
}

async function formatted({ name, text }: { name: string; text: string }): Promise<[string, string]> {
  const { printWidth, singleQuote, semi } = JSON.parse(readFileSync(join(root, '.oxfmtrc.json'), 'utf8'))
  const path = `client/src/calls/${name}.ts`
  const whole = `// \`npm run generate\` writes this file from the table of endpoints.\n${text}`
  const { code, errors } = await format(path, whole, { printWidth, singleQuote, semi })
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  return [path, code]
}

function calls(): Call[] {
  return Object.entries(endpoints).flatMap(([noun, ofNoun]) =>
    Object.entries<Endpoint>(ofNoun).flatMap(([own, endpoint]) => {
      const { call = `${noun}.${own === 'remove' ? 'delete' : own}` } = endpoint
      const [area = '', name = ''] = call.split('.')
      return call === 'byHand' ? [] : [{ ...endpoint, area, name }]
    }),
  )
}

/** The schemas of the contract, with their names and files. */
async function exportedSchemas(): Promise<Map<unknown, { name: string; file: string }>> {
  const exported = new Map<unknown, { name: string; file: string }>()
  for (const file of globSync('*/*.ts', { cwd: contractDir }).sort()) {
    if (/^(endpoints|testing)\/|\.test\.ts$/.test(file)) continue
    const values: object = await import(join(contractDir, file))
    for (const [name, value] of Object.entries(values))
      if (isType(name) && !exported.has(value)) exported.set(value, { name, file })
  }
  return exported
}

function areaFile(
  area: string,
  ofArea: readonly Call[],
  exported: Awaited<ReturnType<typeof exportedSchemas>>,
): { text: string; used: Used[] } {
  const used: Used[] = []
  const typeOf = (schema: unknown): string => {
    const found = exported.get(schema)
    if (found === undefined) throw new Error(`client.${area} needs a schema without a name`)
    const exact = exactTypes[found.name]
    if (exact === undefined) used.push({ name: found.name, from: `@everscan/contract/${found.file}` })
    return exact ?? found.name
  }
  const methods = ofArea.flatMap((call) => [method(call, typeOf), ...iterating(call, typeOf)])
  const body = `{ const calls = {\n${methods.join('\n\n')}\n}\nreturn calls }`
  const parts = ['send', 'sendStreamed'].filter((part) => body.includes(`${part}(`))
  const code = `export function ${area}Of({ ${parts.join(', ')} }: Service) ${body}\n`
  const words = new Set(code.replaceAll(/\/\*\*[^]*?\*\//g, '').match(/\w+/g))
  for (const [file, names] of Object.entries(clientNames))
    for (const name of names) if (words.has(name)) used.push({ name, from: `../${file}` })
  return { text: `${imports(used)}\n${code}`, used }
}

function imports(used: readonly Used[]): string {
  const files = [...Map.groupBy(used, ({ from }) => from)]
  const lines = files.map(([from, entries]) => {
    const names = [...new Set(entries.map(({ name }) => name))].sort()
    const values = names.filter((name) => !isType(name))
    const types = names.filter(isType)
    if (values.length === 0) return `import type { ${types.join(', ')} } from '${from}'\n`
    const listed = [...values, ...types.map((name) => `type ${name}`)]
    return `import { ${listed.join(', ')} } from '${from}'\n`
  })
  return lines.join('')
}

function isType(name: string): boolean {
  return /^[A-Z]/.test(name)
}

function method(call: Call, typeOf: TypeOf): string {
  const { name, summary, description = '', response, takes } = call
  const streamed = takes === 'downloads' ? 'StreamedFile' : 'string'
  const result = response === undefined ? streamed : typeOf(response)
  return `${jsDoc(`${summary} ${description}`)}
async ${name}(${parameters(call, typeOf).join(', ')}): Promise<${result}> {
${statements(call).join('\n')}
},`
}

/** The ids of the path, the body, the query and the options, in this order. */
function parameters(call: Call, typeOf: TypeOf): string[] {
  const { body, bodyOptional, query, alsoProduces } = call
  const hasRequired = query !== undefined && 'required' in query
  // The method reads JSON, so its caller cannot choose another form.
  const queryType = query && (alsoProduces ? `Omit<${typeOf(query)}, 'format'>` : typeOf(query))
  return [
    ...idsOf(call).map((id) => `${id}: string`),
    ...(body === undefined ? [] : [`body${bodyOptional === true ? '?' : ''}: ${typeOf(body)}`]),
    ...(query === undefined ? [] : [`query: ${queryType}${hasRequired ? '' : ' = {}'}`]),
    `options?: ${optionsType(call)}`,
  ]
}

function idsOf({ path }: Call): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
}

function optionsType(call: Call): string {
  if (isConditional(call)) return 'ChangeOptions'
  return call.idempotent === true ? 'CreateOptions' : 'CallOptions'
}

function isConditional({ requestHeaders = {} }: Call): boolean {
  return 'If-Match' in requestHeaders
}

/** Returns the statements that send a call and read its answer. */
function statements(call: Call): string[] {
  const { path, response, responseHeaders = {}, produces: [mediaType = ''] = [], takes } = call
  const template = path.replaceAll(/:(\w+)/g, '${$1}')
  const first = `const path = ${template === path ? `'${path}'` : `pathOf\`${template}\``}`
  const sent = `{ ${fieldsOfCall(call).join(', ')} }`
  if (response !== undefined)
    return [first, `return ${'ETag' in responseHeaders ? 'readRecord' : 'readJson'}(await send(${sent}))`]
  if (takes !== 'downloads') return [first, `return readText(await send(${sent}))`]
  const fileName = `\`\${${idsOf(call).at(-1)}}.${mediaType.split('/')[1]}\``
  return [
    first,
    `const answer = await sendStreamed(${sent})`,
    `return streamedFile(answer, { contentType: '${mediaType}', fileName: ${fileName} })`,
  ]
}

function fieldsOfCall(call: Call): string[] {
  const { method: verb, body, query, idempotent, repeatable = verb !== 'POST', interactive } = call
  const repeated = idempotent === true ? '...once(options)' : `idempotent: ${repeatable}`
  return [
    `method: '${verb}'`,
    'path',
    ...(query === undefined ? [] : ['query']),
    ...(body === undefined ? [] : ['body']),
    isConditional(call) ? '...unlessChanged(options)' : repeated,
    ...(interactive === true ? ['interactive: true'] : []),
    'options',
  ]
}

/** Returns the method that reads every page of a list. */
function iterating(call: Call, typeOf: TypeOf): string[] {
  if (call.name !== 'list') return []
  const query = call.query === PageQuery ? undefined : call.query
  const isOrdered = 'order' in propertiesOf(query)
  const ids = idsOf(call)
  const { items } = propertiesOf(call.response)['data'] as { items: unknown }
  const given = [
    ...ids.map((id) => `${id}: string`),
    ...(query === undefined ? [] : [`query: Omit<${typeOf(query)}, 'page'> = {}`]),
    'options?: CallOptions',
  ]
  const page = ['limit', ...(isOrdered ? [`order: 'asc'`] : []), ...(query ? ['...query'] : []), 'page']
  const order = isOrdered ? ', by default oldest first' : ''
  return [
    `${jsDoc(`Yields every record of the list, page by page${order}. If records are deleted meanwhile, it may skip others: collect them first, then delete.`)}
iterate(${given.join(', ')}): AsyncGenerator<${typeOf(items)}, void, undefined> {
return iterate(({ page, limit }) => calls.list(${[...ids, `{ ${page.join(', ')} }`, 'options'].join(', ')}))
},`,
  ]
}

function propertiesOf(schema: object | undefined): Readonly<Record<string, unknown>> {
  return schema !== undefined && 'properties' in schema ? (schema.properties as Record<string, unknown>) : {}
}

/** Returns a comment whose lines have at most 100 columns. */
function jsDoc(text: string): string {
  const words = text.trim().split(/\s+/)
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last !== undefined && `     * ${last} ${word}`.length <= commentColumns)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  const whole = `/** ${words.join(' ')} */`
  if (`    ${whole}`.length <= commentColumns) return whole
  return ['/**', ...lines.map((line) => ` * ${line}`), ' */'].join('\n')
}
