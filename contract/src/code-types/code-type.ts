import type { TObject } from 'typebox'
import { textOf, type Fields } from '../schema/fields.ts'
import { joinPath } from '../schema/paths.ts'
import type { FieldProblem, Problem } from '../problems/problem.ts'

/** System of a visitor's device. It decides where an app is found. */
export type System = 'ios' | 'android' | 'other'
export const systems: readonly System[] = ['ios', 'android', 'other']

/** A column of an import file, with its example in the template. */
export type ImportColumn = {
  name: string
  required: boolean
  example: string
  /** White space at the ends of a cell may be intentional, so it stays. */
  isVerbatim?: true
}

/** An address in the content, with its path there. */
export type Destination = { path: string; url: string }

/** Everything that distinguishes one type of code from another. `code-types.ts` lists all types. */
export type CodeType = {
  /** Schema of `data`. Its examples are valid content. */
  schema: TObject
  /** Checks rules between fields, for which a schema would report unclear errors. */
  problems?: (data: Fields, prefix: string) => FieldProblem[]
  /** Returns the addresses that phones are sent to, including unchecked ones. */
  destinations: (data: Fields, prefix: string) => { path: string; url: unknown }[]
  /** Returns where such a code leads, as `leadTexts` says. */
  leads: (data: Fields) => readonly string[]
  /** Import columns besides those of every code. */
  importColumns: readonly ImportColumn[]
  /** Absent: each column is the field of the same name, `address.city` one in an object. */
  imported?: ImportedContent
} & Answers

/** The response to a scan. */
export type Answers =
  /** A page of this service. */
  | { answers: 'page' }
  /** Another address. */
  | { answers: 'redirect'; redirect: (data: Fields) => string }
  /** Either of them, depending on content and system. Undefined: the page. */
  | { answers: 'either'; redirect: (data: Fields, system: System) => string | undefined }

/** Turns the cells of a row, by column, into content, and content into cells. */
export type ImportedContent = {
  read: (cells: ReadonlyMap<string, string>) => Record<string, unknown>
  /** Returns the problem of the row as a whole. */
  problem: (cells: ReadonlyMap<string, string>) => Problem | undefined
  /** Returns the cells that `read` turns into this content; undefined: there are none. */
  write: (data: Fields) => Map<string, string> | undefined
  /** Returns the column that a path in the content came from. Undefined: the path names it. */
  columnOf: (path: string, data: Fields) => string | undefined
}

export const required = (name: string, example: string): ImportColumn => ({ name, required: true, example })
export const optional = (name: string, example: string): ImportColumn => ({ name, required: false, example })
/** Returns a column whose cells are taken unchanged. */
export const verbatim = (column: ImportColumn): ImportColumn => ({ ...column, isVerbatim: true })

/** Returns a function that finds the destinations in fields that hold one each. */
export const destinationsIn =
  (...names: readonly string[]): CodeType['destinations'] =>
  (data, prefix) =>
    names.map((name) => ({ path: joinPath(prefix, name), url: data[name] }))

export const noDestinations: CodeType['destinations'] = () => []

/** Returns a function that reads fields which say where a code leads. */
export const textsOf =
  (...names: readonly string[]): CodeType['leads'] =>
  (data) =>
    names.map((name) => textOf(data, name))
