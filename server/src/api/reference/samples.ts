/** A request of an operation, with example values. */
export type SampleCall = {
  method: string
  /** With the prefix of the API, example values and required parameters of the query. */
  path: string
  /** Whether it takes an API key. */
  hasKey: boolean
  /** Example of a JSON body. */
  body?: unknown
  /** Fields of a form. `isFile`: the value is the path of a file. */
  form?: readonly { name: string; value: string; isFile: boolean }[]
  answer: 'json' | 'bytes' | 'none'
}

/** Writes a request in a language. */
type Writer = (call: SampleCall) => string

const hostVariable = 'EVERSCAN_URL'
const keyVariable = 'EVERSCAN_API_KEY'

/** Languages of samples, in the order in which they are offered. */
export const sampleLanguages: readonly { id: string; name: string; write: Writer }[] = [
  { id: 'curl', name: 'curl', write: writeCurl },
  { id: 'js', name: 'JavaScript', write: writeJavaScript },
  { id: 'python', name: 'Python', write: writePython },
  { id: 'php', name: 'PHP', write: writePhp },
]

function writeCurl({ method, path, hasKey, body, form, answer }: SampleCall): string {
  const parts = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$${hostVariable}${path}"`,
    ...(hasKey ? [`-H "X-API-Key: $${keyVariable}"`] : []),
    ...(body === undefined
      ? []
      : [
          `-H 'Content-Type: application/json'`,
          `-d '${JSON.stringify(body, null, 2).replaceAll("'", String.raw`'\''`)}'`,
        ]),
    ...(form ?? []).map(({ name, value, isFile }) =>
      isFile ? `-F '${name}=@${value}'` : `-F '${name}=${value.replaceAll("'", String.raw`'\''`)}'`,
    ),
    ...(answer === 'bytes' ? ['-o answer'] : []),
  ]
  return parts.join(' \\\n  ')
}

function writeJavaScript({ method, path, hasKey, body, form, answer }: SampleCall): string {
  const headers = [
    ...(hasKey ? [`'X-API-Key': env.${keyVariable}`] : []),
    ...(body === undefined ? [] : [`'Content-Type': 'application/json'`]),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(literal(body, javaScript), 2)}),`]),
    ...(form === undefined ? [] : ['  body: form,']),
  ]
  const address = `env.${hostVariable} + ${quoted(path)}`
  const filled = (form ?? []).map(({ name, value, isFile }) =>
    isFile
      ? `form.append('${name}', await openAsBlob(${quoted(value)}), ${quoted(value)})`
      : `form.append('${name}', ${quoted(value)})`,
  )
  return lines(
    ["import { env } from 'node:process'"],
    form !== undefined && [
      `import { openAsBlob } from 'node:fs'`,
      '',
      'const form = new FormData()',
      ...filled,
      '',
    ],
    options.length === 0
      ? [`const response = await fetch(${address})`]
      : [`const response = await fetch(${address}, {`, ...options, '})'],
    ['if (!response.ok) throw new Error(await response.text())'],
    answer === 'json' && ['const answer = await response.json()'],
    answer === 'bytes' && ['const bytes = await response.bytes()'],
  )
}

function writePython({ method, path, hasKey, body, form, answer }: SampleCall): string {
  const given = [
    ...(hasKey ? [`    headers={"X-API-Key": os.environ["${keyVariable}"]},`] : []),
    ...(body === undefined ? [] : [`    json=${indented(literal(body, python), 4)},`]),
    ...(form === undefined
      ? []
      : [
          `    files={${form
            .filter(({ isFile }) => isFile)
            .map(({ name, value }) => `"${name}": open(${quoted(value, '"')}, "rb")`)
            .join(', ')}},`,
          `    data={${form
            .filter(({ isFile }) => !isFile)
            .map(({ name, value }) => `"${name}": ${quoted(value, '"')}`)
            .join(', ')}},`,
        ]),
    '    timeout=30,',
  ]
  return lines(
    ['import os', 'import requests', ''],
    [
      `response = requests.${method.toLowerCase()}(`,
      `    os.environ["${hostVariable}"] + ${quoted(path, '"')},`,
    ],
    given,
    [')', 'response.raise_for_status()'],
    answer === 'json' && ['print(response.json())'],
    answer === 'bytes' && ['content = response.content'],
  )
}

function writePhp({ method, path, hasKey, body, form, answer }: SampleCall): string {
  const headers = [
    ...(hasKey ? [`'X-API-Key: ' . getenv('${keyVariable}')`] : []),
    ...(body === undefined ? [] : [`'Content-Type: application/json'`]),
  ]
  const fields = (form ?? []).map(
    ({ name, value, isFile }) =>
      `        '${name}' => ${isFile ? `new CURLFile(${quoted(value)})` : quoted(value)},`,
  )
  return lines(
    ['<?php', `$request = curl_init(getenv('${hostVariable}') . ${quoted(path)});`],
    ['curl_setopt_array($request, ['],
    method !== 'GET' && [`    CURLOPT_CUSTOMREQUEST => '${method}',`],
    headers.length > 0 && [`    CURLOPT_HTTPHEADER => [${headers.join(', ')}],`],
    body !== undefined && [`    CURLOPT_POSTFIELDS => json_encode(${indented(literal(body, php), 4)}),`],
    form !== undefined && ['    CURLOPT_POSTFIELDS => [', ...fields, '    ],'],
    ['    CURLOPT_RETURNTRANSFER => true,', '    CURLOPT_FAILONERROR => true,', ']);'],
    [
      '$answer = curl_exec($request);',
      `if ($answer === false) throw new RuntimeException(curl_error($request));`,
    ],
    answer === 'json' && ['print_r(json_decode($answer, true));'],
  )
}

const lines = (...groups: (readonly string[] | false)[]) =>
  groups
    .filter((group) => group !== false)
    .flat()
    .join('\n')

const indented = (text: string, spaces: number) => text.replaceAll('\n', `\n${' '.repeat(spaces)}`)

function quoted(text: string, quote: "'" | '"' = "'"): string {
  const escaped = text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)
  return quote + escaped.replaceAll('\n', '\\n') + quote
}

/** How a language writes values. */
type Notation = {
  text: (value: string) => string
  key: (name: string) => string
  between: string
  list: readonly [string, string]
  record: readonly [string, string]
  constants: Readonly<Record<string, string>>
}

const javaScript: Notation = {
  text: (value) => quoted(value),
  key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)),
  between: ': ',
  list: ['[', ']'],
  record: ['{', '}'],
  constants: { true: 'true', false: 'false', null: 'null' },
}
const python: Notation = {
  ...javaScript,
  text: (value) => JSON.stringify(value),
  key: (name) => JSON.stringify(name),
  constants: { true: 'True', false: 'False', null: 'None' },
}
const php: Notation = {
  ...javaScript,
  // Single quotes know two escapes only.
  text: (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  key: (name) => `'${name}'`,
  between: ' => ',
  record: ['[', ']'],
}

const shortCharsMax = 60

/** Writes a value: short lists and records in one line, others in many. */
function literal(value: unknown, notation: Notation): string {
  if (typeof value === 'string') return notation.text(value)
  if (typeof value !== 'object' || value === null) return notation.constants[String(value)] ?? String(value)
  const [open, close] = Array.isArray(value) ? notation.list : notation.record
  const parts = Array.isArray(value)
    ? value.map((one: unknown) => literal(one, notation))
    : Object.entries(value).map(
        ([name, one]) => notation.key(name) + notation.between + literal(one, notation),
      )
  const short = parts.join(', ')
  if (parts.length === 0) return open + close
  if (short.length <= shortCharsMax && !short.includes('\n')) return `${open}${short}${close}`
  return `${open}\n${parts.map((part) => `  ${indented(part, 2)},`).join('\n')}\n${close}`
}
