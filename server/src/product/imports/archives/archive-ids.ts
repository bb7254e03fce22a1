import { createHash } from 'node:crypto'
import type { ArchiveSection } from '@everscan/contract/archives/archive-imports.ts'
import { archivedScanColumns } from '../../../analytics/store/archived-scan-columns.ts'
import type { ArchivedId } from '../../../catalogue/imports/archive-ids.ts'
import { createId, type IdPrefix } from '../../../ids.ts'

type Line = Readonly<Record<string, unknown>>

/** The ids that a file may have: they were checked, and are the ids of one archive. */
type Options = {
  /** The ids of all lines that are imported. */
  ids: readonly string[]
  /** Those of them that keep their id. Undefined: all get new ones, and so do rules. */
  kept: ReadonlySet<string> | undefined
  /** Ids of rules are derived from it: equal ids in two archives get different ones. */
  seed: string
  nowMs: number
}

/**
 * The ids that the records of an archive get here. New ids sort as the old ones do: lists put
 * records of one moment into the order of their ids, and an export has its codes in it.
 */
export class ArchiveIds {
  readonly #ids = new Map<string, string>()
  readonly #rules = new Map<string, string>()
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
    const { ids, kept, nowMs } = options
    for (const id of ids.toSorted())
      this.#ids.set(id, kept?.has(id) === true ? id : createId(prefixOf(id), nowMs))
  }

  /** Returns the id of a record that is imported. */
  of(id: string): string {
    const found = this.#ids.get(id)
    if (found === undefined) throw new Error(`${id} is no id of a line that is imported`)
    return found
  }

  /** Yields the old and the new id of each record, then of each rule that `lineOf` was given. */
  *pairs(): Generator<ArchivedId> {
    yield* this.#ids
    yield* this.#rules
  }

  /** Returns a line with new ids. Codes and versions come before the hits that name their rules. */
  lineOf(section: ArchiveSection, value: unknown): unknown {
    return this.#of[section](value)
  }

  readonly #of: Record<ArchiveSection, (value: unknown) => unknown> = {
    folders: (value) => ({ ...this.#record(value), parentId: this.#orNull((value as Line)['parentId']) }),
    styles: (value) => this.#record(value),
    domains: (value) => this.#record(value),
    utmTemplates: (value) => this.#record(value),
    qrCodes: (value) => {
      const line = value as Line & { id: string; history: Line; formerRules?: Record<string, string> }
      const { id, formerRules, history } = line
      return {
        ...this.#record(line),
        folderId: this.#orNull(line['folderId']),
        domainId: this.#orNull(line['domainId']),
        rules: this.#rulesOf(line['rules'], id),
        ...(formerRules !== undefined && {
          formerRules: Object.fromEntries(
            Object.entries(formerRules).map(([rule, name]) => [this.#ruleOf(rule, id), name]),
          ),
        }),
        history: { ...history, changedBy: this.#actor(history['changedBy']) },
      }
    },
    versions: (value) => {
      const line = value as Line & { qrCodeId: string }
      const { qrCodeId } = line
      const rules = this.#rulesOf(line['rules'], qrCodeId)
      return { ...line, qrCodeId: this.of(qrCodeId), rules, changedBy: this.#actor(line['changedBy']) }
    },
    hits: (value) => {
      const hit = [...(value as unknown[])]
      const code = String(hit[codeAt])
      hit[codeAt] = this.of(code)
      const rule = String(hit[ruleAt])
      // Hits also name rules of which the code knows no more, and texts of other products.
      if (ruleIds.test(rule)) hit[ruleAt] = this.#ruleOf(rule, code)
      return hit
    },
    views: (value) => {
      const line = value as Line & { query: Line }
      return { ...this.#record(line), query: this.#queryOf(line.query) }
    },
    webhooks: (value) => this.#record(value),
  }

  #record(value: unknown): Line {
    const line = value as Line & { id: string }
    return { ...line, id: this.of(line.id) }
  }

  #orNull(id: unknown): string | null {
    return typeof id === 'string' ? this.of(id) : null
  }

  /** A person or key of another installation is nobody here: only the name is kept. */
  #actor(actor: unknown): unknown {
    return this.#options.kept === undefined ? { ...(actor as Line), id: null } : actor
  }

  #rulesOf(rules: unknown, code: string): unknown {
    return (rules as Line[]).map((rule) => ({ ...rule, id: this.#ruleOf(String(rule['id']), code) }))
  }

  /** A rule is one of its code: it keeps its id if the code does. */
  #ruleOf(rule: string, code: string): string {
    let known = this.#rules.get(rule)
    if (known === undefined) {
      known = this.#options.kept?.has(code) === true ? rule : this.#derivedRule(rule)
      this.#rules.set(rule, known)
    }
    return known
  }

  /**
   * Derives the id of a rule from the old one, with its time: the last former rules of a code are
   * those with the last ids. No list is in the order of rules of one moment.
   */
  #derivedRule(rule: string): string {
    const hash = createHash('sha256').update(`${this.#options.seed} ${rule}`).digest('hex')
    return (
      rule.slice(0, timeEnd) +
      BigInt(`0x${hash}`).toString(32).slice(0, randomChars).padStart(randomChars, '0')
    )
  }

  #queryOf(query: Line): Line {
    const { qrCodeId, folderId, ids, rule } = query
    const idOf = (id: string) => this.#ids.get(id) ?? id
    const ruleOf = (text: string) => {
      const isNot = text.startsWith('!')
      const id = isNot ? text.slice(1) : text
      return `${isNot ? '!' : ''}${this.#rules.get(id) ?? id}`
    }
    return {
      ...query,
      ...(typeof qrCodeId === 'string' && { qrCodeId: idOf(qrCodeId) }),
      ...(typeof folderId === 'string' && { folderId: idOf(folderId) }),
      ...(Array.isArray(ids) && {
        ids: (ids as string[]).map((list) => list.split(',').map(idOf).join(',')),
      }),
      ...(Array.isArray(rule) && { rule: (rule as string[]).map(ruleOf) }),
    }
  }
}

const codeAt = archivedScanColumns.indexOf('qrCodeId')
const ruleAt = archivedScanColumns.indexOf('rule')
const ruleIds = /^rul_[0-9a-z]{26}$/
const timeEnd = 'rul_'.length + 10
const randomChars = 16

function prefixOf(id: string): IdPrefix {
  // The schema of the line has its prefix.
  return id.slice(0, id.indexOf('_')) as IdPrefix
}
