import type { TObject } from 'typebox'
import type { Fields } from '../schema/fields.ts'
import { joinPath } from '../schema/paths.ts'
import type { Problem } from '../schema/problems.ts'

/** What decides where an app is found. */
export type System = 'ios' | 'android' | 'other'
export const systems: readonly System[] = ['ios', 'android', 'other']

/** A column of an import file, with what the template shows in it. */
export type ImportColumn = {
  name: string
  required: boolean
  example: string
  /** White space at the ends of a cell may be meant. */
  isVerbatim?: true
}

/** An address in the content, and where it stands. */
export type Destination = { path: string; url: string }

/** What a picture can hold in place of a short URL, see `directPayload` of the workspace `qr`. */
export type PayloadKind = 'link' | 'text' | 'call' | 'message' | 'mail' | 'network' | 'contact'

/** Everything that tells one type of code from another; `code-types.ts` has them all. */
export type CodeType = {
  /** What `data` holds. The examples are accepted content. */
  schema: TObject
  /** The rules between fields, which a schema can only say with unclear errors. */
  problems?: (data: Fields, prefix: string) => Problem[]
  /** The addresses that a phone is sent to, those that are not checked yet included. */
  destinations: (data: Fields, prefix: string) => { path: string; url: unknown }[]
  /** Columns of an import besides those of every code. */
  importColumns: readonly ImportColumn[]
  /** Absent: a column is the field of its name. */
  imported?: ImportedContent
  /** Absent: only a page can show it. */
  payload?: PayloadKind
} & Answers

/** What a scan gets. */
export type Answers =
  /** A page of ours. */
  | { answers: 'page' }
  /** Another address. */
  | { answers: 'redirect'; redirect: (data: Fields) => string }
  /** One or the other, as content and system have it; undefined: the page. */
  | { answers: 'either'; redirect: (data: Fields, system: System) => string | undefined }

/** How the cells of a row, by column, become content. */
export type ImportedContent = {
  read: (cells: ReadonlyMap<string, string>) => Record<string, unknown>
  /** What is wrong with the row as a whole. */
  problem: (cells: ReadonlyMap<string, string>) => string | undefined
  /** The column that a path in the content came from; undefined: the path says it. */
  columnOf: (path: string, data: Fields) => string | undefined
}

export const required = (name: string, example: string): ImportColumn => ({ name, required: true, example })
export const optional = (name: string, example: string): ImportColumn => ({ name, required: false, example })
/** A column whose cells are taken as they stand. */
export const verbatim = (column: ImportColumn): ImportColumn => ({ ...column, isVerbatim: true })

/** The destinations in fields that hold one each. */
export const destinationsIn =
  (...names: readonly string[]): CodeType['destinations'] =>
  (data, prefix) =>
    names.map((name) => ({ path: joinPath(prefix, name), url: data[name] }))

export const noDestinations: CodeType['destinations'] = () => []
