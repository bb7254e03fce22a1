import type { Domain, TypedQrCode } from '@everscan/client/create-client.ts'
import { limits } from '@everscan/contract/schema/limits.ts'
import type { SavedStyle } from '@everscan/contract/resources/saved-styles.ts'
import type { FieldProblem, ProblemName } from '@everscan/contract/problems/problem.ts'
import { problemsOf } from '@everscan/contract/schema/problems.ts'
import { qrCodeDataProblems } from '@everscan/contract/code-types/qr-code-data-problems.ts'
import { ruleProblems } from '@everscan/contract/rules/rule-problems.ts'
import { RulesInput, type RuleInput } from '@everscan/contract/rules/rules.ts'
import type { QrCodeType } from '@everscan/contract/code-types/code-types.ts'
import { CreateQrCode, type UpdateQrCode } from '@everscan/contract/resources/qr-codes.ts'
import type { CodeForm } from '@everscan/contract/domains/code-forms.ts'
import { shortCodeProblem } from '@everscan/contract/resources/short-codes.ts'
import type { Style, UpdateStyle } from '@everscan/contract/resources/styles.ts'
import { Errors } from 'typebox/value'
import { commonWords } from '../words/common-words.ts'
import { sayProblem, type Told } from '../words/problems/say-problem.ts'
import { editorWords } from '../words/editor-words.ts'
import { draftRules, sentRules, type DraftRule } from '../rules/rule-drafts.ts'
import { emptyData, sentData, withScheme, type DraftData } from './content-schemas.ts'

/** A code in the form, while it is edited. */
export type Draft = {
  type: QrCodeType
  name: string
  data: DraftData
  rules: readonly DraftRule[]
  passQuery: boolean
  style: Style
  folderId: string | null
  tags: readonly string[]
  /** Empty: the service generates one. It cannot change after creation. */
  shortCode: string
  /** Null: PUBLIC_URL. It cannot change after creation. */
  domainId: string | null
}

export const newDraft = (type: QrCodeType, style: Style, domainId: string | null): Draft => ({
  type,
  name: '',
  data: emptyData(type),
  rules: [],
  passQuery: false,
  style,
  folderId: null,
  tags: [],
  shortCode: '',
  domainId,
})

export const draftOf = ({
  type,
  name,
  data,
  rules,
  passQuery,
  style,
  folderId,
  tags,
  shortCode,
  domainId,
}: TypedQrCode): Draft => ({
  type,
  name,
  data: { ...data },
  rules: draftRules(rules),
  passQuery,
  style,
  folderId,
  tags,
  shortCode,
  domainId,
})

/** Returns how short codes are compared where a draft is to be. */
export const codeFormOf = (
  domains: readonly Pick<Domain, 'id' | 'codes'>[],
  { domainId }: Pick<Draft, 'domainId'>,
): CodeForm => domains.find(({ id }) => id === domainId)?.codes ?? 'canonical'

/** Returns the rules of a draft as they are sent. */
export const rulesToSend = ({ type, rules }: Pick<Draft, 'type' | 'rules'>): RuleInput[] =>
  sentRules(rules, (data) => sentData(type, data))

/**
 * Returns the body that creates the code. An unchanged saved style is sent as its id, so that its
 * logo stays the same.
 */
export function createBody(draft: Draft, saved: readonly SavedStyle[]): CreateQrCode {
  const { type, folderId, tags, shortCode, domainId, style } = draft
  const styleId = savedStyleOf(style, saved)
  return {
    type,
    name: nameOf(draft),
    data: sentData(type, draft.data),
    ...(draft.rules.length > 0 && { rules: rulesToSend(draft) }),
    ...(draft.passQuery && { passQuery: true }),
    folderId,
    tags: [...tags],
    ...(shortCode !== '' && { shortCode }),
    domainId,
    styleId,
    ...(styleId === null && { style }),
  }
}

/**
 * Returns the body that updates a code, with changed fields only, so that others can change the
 * rest meanwhile.
 */
export function updateBody(before: Draft, draft: Draft, saved: readonly SavedStyle[]): UpdateQrCode {
  const data = sentData(draft.type, draft.data)
  const styleId = savedStyleOf(draft.style, saved)
  return {
    ...(draft.name !== before.name && { name: nameOf(draft) }),
    ...(!isSame(data, sentData(before.type, before.data)) && { data }),
    ...(!isSame(rulesToSend(draft), rulesToSend(before)) && { rules: rulesToSend(draft) }),
    ...(draft.passQuery !== before.passQuery && { passQuery: draft.passQuery }),
    ...(draft.folderId !== before.folderId && { folderId: draft.folderId }),
    ...(!isSame(draft.tags, before.tags) && { tags: [...draft.tags] }),
    ...(!isSame(draft.style, before.style) &&
      (styleId === null ? { style: styleChanges(before.style, draft.style) } : { styleId })),
  }
}

/** Returns whether anything would be lost. A different type alone is no change yet. */
export function isChanged(before: Draft, draft: Draft): boolean {
  const { type } = draft
  const start = type === before.type ? before : { ...before, type, data: emptyData(type), rules: [] }
  const hasOtherAddress = draft.shortCode !== before.shortCode || draft.domainId !== before.domainId
  return hasOtherAddress || Object.keys(updateBody(start, draft, [])).length > 0
}

/**
 * Returns all problems of a draft by path, with the schemas, rules and paths of the service.
 * `codes`: how the host name of a new code compares short codes; undefined: the code has one.
 */
export function draftProblems(draft: Draft, codes: CodeForm | undefined): ReadonlyMap<string, string> {
  const { data, rules: _rules, style: _style, styleId: _styleId, ...body } = createBody(draft, [])
  const fields = { ...body, data: {} }
  const problems = [
    ...problemsOf(Errors(CreateQrCode, fields), fields),
    ...qrCodeDataProblems(draft.type, data, 'data'),
    ...rulesProblems(draft),
    ...shortCodeProblems(draft, codes),
  ]
  return new Map(problems.map((found) => [found.path, plainProblem(found)]))
}

function shortCodeProblems({ shortCode }: Draft, codes: CodeForm | undefined): readonly FieldProblem[] {
  const found = codes === undefined || shortCode === '' ? undefined : shortCodeProblem(shortCode, codes)
  return found === undefined ? [] : [{ path: 'shortCode', ...found }]
}

/** Returns the problems of rules. The service alone knows regions and networks. */
function rulesProblems(draft: Draft): readonly FieldProblem[] {
  const rules = rulesToSend(draft)
  const ofShape = problemsOf(Errors(RulesInput, rules), rules, 'rules')
  if (ofShape.length > 0) return ofShape
  return ruleProblems(rules, {
    dataProblems: (data, path) => qrCodeDataProblems(draft.type, data, path),
    isRegion: () => true,
    isNetwork: () => true,
  })
}

/** Problems that a form tells in words of its own, in English, too. */
const ownWords = new Map<string, string>([
  ['required', editorWords.needed],
  ['empty', editorWords.needed],
  ['shortCodeReserved', editorWords.reserved],
] satisfies [ProblemName, string][])

/** Returns a problem as a sentence for its field. */
export function plainProblem(told: Told): string {
  return ownWords.get(told.problem ?? '') ?? sayProblem(told)
}

/** Returns the change that turns one style into another. */
export function styleChanges(before: Style, style: Style): UpdateStyle {
  const removed = Object.keys(before).filter((name) => !(name in style))
  const changed = Object.entries(style).filter(([name, value]) => !isSame(value, before[name as keyof Style]))
  return { ...Object.fromEntries(removed.map((name) => [name, null])), ...Object.fromEntries(changed) }
}

const savedStyleOf = (style: Style, saved: readonly SavedStyle[]) =>
  saved.find((one) => isSame(one.style, style))?.id ?? null

/** Returns the name that is saved. */
export const nameOf = (draft: Draft) => draft.name.trim() || suggestedName(draft)

/** Returns a name for a code without one: the host that it leads to, otherwise its type. */
export function suggestedName({ type, data }: Draft): string {
  const url = typeof data['url'] === 'string' ? withScheme(data['url']) : ''
  const host = URL.canParse(url) ? new URL(url).hostname : ''
  return host.slice(0, limits.nameCharsMax) || commonWords.types[type]
}

/** Returns whether two JSON values are equal, in any order of their keys. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))]
  return (
    left.length === right.size &&
    left.every(([key, value]) => right.has(key) && isSame(value, right.get(key)))
  )
}
