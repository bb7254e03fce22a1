// Writes the types of the contract that the client uses as plain TypeScript, with the descriptions
// of the fields. The published package then needs neither the contract nor the library of its
// schemas.
import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const contractDir = join(import.meta.dirname, '..', 'contract', 'src')

type Json = Readonly<Record<string, unknown>>

/** A declaration of the contract. A type without a schema has the text of its right side. */
type Declaration = { comment: string; schema?: Json; head?: string; text?: string }

type Contract = {
  declarations: ReadonlyMap<string, Declaration>
  /**
   * Names of schemas by their JSON. By JSON, because TypeBox copies a schema that it makes
   * optional.
   */
  names: ReadonlyMap<string, string>
  /** Every value that the contract exports. */
  values: Json
}

/** Returns a module of declarations: the named types, and all that they refer to. */
export async function contractTypes(wanted: Iterable<string>): Promise<string> {
  const contract = await readContract()
  const texts = new Map<string, string>()
  const queue = [...wanted].sort()
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    if (texts.has(name)) continue
    const text = declarationOf(name, contract)
    texts.set(name, text)
    for (const [word] of text.replaceAll(/\/\*\*[^]*?\*\/|'[^']*'/g, '').matchAll(/\b[A-Z]\w+/g))
      if (contract.declarations.has(word)) queue.push(word)
  }
  const sorted = [...texts].sort(([a], [b]) => (a < b ? -1 : 1))
  return `${sorted.map(([, text]) => text).join('\n\n')}\n`
}

async function readContract(): Promise<Contract> {
  const declarations = new Map<string, Declaration>()
  const names = new Map<string, string>()
  const values: Record<string, unknown> = {}
  for await (const file of glob('*/*.ts', { cwd: contractDir })) {
    if (file.startsWith('testing/') || file.endsWith('.test.ts')) continue
    const text = await readFile(join(contractDir, file), 'utf8')
    Object.assign(values, await import(join(contractDir, file)))
    for (const [, comment = '', head = '', right = ''] of text.matchAll(typePattern)) {
      const name = head.replace(/<.*/, '')
      const ownSchema = right.trim() === `Static<typeof ${name}>` ? (values[name] as Json) : undefined
      if (ownSchema === undefined) declarations.set(name, { comment, head, text: right })
      else {
        declarations.set(name, { comment: comment || commentOf(text, name), schema: ownSchema })
        const key = JSON.stringify(ownSchema)
        if (!names.has(key)) names.set(key, name)
      }
    }
  }
  return { declarations, names, values }
}

/** An exported type with the comment above it. It ends with its line, or before a blank one. */
const typePattern =
  /(\/\*\*(?:(?!\*\/)[^])*\*\/\n)?^export type (\w+(?:<[^=]*>)?) =\s+((?:(?!\n\n|\n\/\*\*|\nexport )[^])*)/gm

/** The comment of a schema, which comes before its type. */
function commentOf(text: string, name: string): string {
  return new RegExp(`(/\\*\\*(?:(?!\\*/)[^])*\\*/\\n)export const ${name}\\b`).exec(text)?.[1] ?? ''
}

function declarationOf(name: string, contract: Contract): string {
  const declaration = contract.declarations.get(name)
  if (declaration === undefined) throw new Error(`the contract has no type ${name}`)
  const { comment, schema, head = name, text = '' } = declaration
  const right = schema === undefined ? writtenType(text.trim(), contract) : contentsOf(schema, '', contract)
  return `${comment}export type ${head} = ${right}`
}

/** Returns the right side of a type that was written by hand, without references to values. */
function writtenType(text: string, contract: Contract): string {
  const { values } = contract
  const replaced = text
    .replaceAll(/\bkeyof typeof (\w+)/g, (_, name: string) => unionOf(Object.keys(values[name] as Json)))
    .replaceAll(/\(typeof (\w+)\)\[number\]/g, (_, name: string) => unionOf(values[name] as unknown[]))
    .replace(/\{ \[T in QrCodeType\]: Static<\(typeof (\w+)\)\[T\]\['schema'\]> \}/, (_, name: string) => {
      const properties = Object.entries(values[name] as Record<string, { schema: Json }>)
      const fields = properties.map(([type, { schema }]) => `  ${type}: ${typeOf(schema, '  ', contract)}`)
      return `{\n${fields.join('\n')}\n}`
    })
  if (/\btypeof\b|\bStatic</.test(replaced)) throw new Error(`cannot write without values: ${text}`)
  return replaced
}

function typeOf(schema: Json, indent: string, contract: Contract): string {
  return contract.names.get(JSON.stringify(schema)) ?? contentsOf(schema, indent, contract)
}

function contentsOf(schema: Json, indent: string, contract: Contract): string {
  const { const: constant, enum: values, type, not, anyOf, oneOf } = schema
  const inner = (one: unknown): string => typeOf(one as Json, indent, contract)
  if (constant !== undefined) return JSON.stringify(constant)
  if (Array.isArray(values)) return unionOf(values)
  if (not !== undefined) return 'never'
  const options = anyOf ?? oneOf
  if (Array.isArray(options)) return [...new Set(options.map(inner))].join(' | ')
  if (Array.isArray(type)) return type.map((one) => inner({ ...schema, type: one })).join(' | ')
  if (type === 'array') {
    const item = inner(schema['items'])
    return /[|&]/.test(item) && !/^[{(]/.test(item) ? `(${item})[]` : `${item}[]`
  }
  if (type === 'object') return objectType(schema, indent, contract)
  if (type === 'integer') return 'number'
  return ['string', 'number', 'boolean', 'null'].includes(String(type)) ? String(type) : 'unknown'
}

function objectType(schema: Json, indent: string, contract: Contract): string {
  const { properties, required = [], additionalProperties } = schema
  if (properties === undefined) {
    const value = typeof additionalProperties === 'object' ? (additionalProperties as Json) : {}
    return `Record<string, ${typeOf(value, indent, contract)}>`
  }
  const more = `${indent}  `
  const fields = Object.entries(properties as Record<string, Json>).map(([name, field]) => {
    const mark = (required as string[]).includes(name) ? '' : '?'
    const description = field['description'] as string | undefined
    const comment = description === undefined ? '' : `${more}/** ${description.replaceAll('*/', '*')} */\n`
    return `${comment}${more}${/^[\w$]+$/.test(name) ? name : `'${name}'`}${mark}: ${typeOf(field, more, contract)}`
  })
  return fields.length === 0 ? '{}' : `{\n${fields.join('\n')}\n${indent}}`
}

function unionOf(values: readonly unknown[]): string {
  return values.map((value) => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))).join(' | ')
}
