// Small faults that are put into a source on purpose, to see whether a suite notices.
import { parseAst } from 'rolldown/parseAst'

/**
 * A fault. `start` and `end` are UTF-16 offsets of the text that `replacement` takes the place of.
 * `from` and `to` are the lines from the first to the last that it changes, with single spaces.
 */
export type Mutant = {
  file: string
  line: number
  kind: MutantKind
  from: string
  to: string
  start: number
  end: number
  replacement: string
}

export type MutantKind =
  | 'negated condition'
  | 'comparison'
  | 'logic'
  | 'arithmetic'
  | 'fallback'
  | 'dropped call'
  | 'dropped await'
  | 'constant'
  | 'swapped arguments'
  | 'dropped filter'
  | 'query'

type Node = { type: string; start: number; end: number; [key: string]: unknown }
type Fault = Pick<Mutant, 'kind' | 'start' | 'end' | 'replacement'>

const comparisons: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
}
const arithmetic: Readonly<Record<string, string>> = { '+': '-', '-': '+', '*': '/', '/': '*' }
const filters = new Set([
  'where',
  'filter',
  'forUpdate',
  'forShare',
  'having',
  'distinct',
  'toSorted',
  'orderBy',
])
/** Calls that only tell an operator something. */
const telling = /\b(log|problems?|notes?|times|figures|stats|metrics?|console|unref)\b[?.]*\.?\w*$/i
/** Parts of the service: types tell them from every other argument. */
const parts = /^(this\.#)?(context|db|tx|connection|journal|response|request|options)$/

/** Returns every fault that one small change of a source makes, in the order of the text. */
export function mutantsOf(file: string, text: string): Mutant[] {
  const faults: Fault[] = []
  visit(parseAst(text, { lang: 'ts' }) as unknown as Node, text, faults)
  return faults
    .map((fault) => ({ file, ...fault, ...linesOf(text, fault) }))
    .filter(({ from, to }) => from !== to)
    .toSorted((a, b) => a.start - b.start || a.end - b.end)
}

/** Returns the source with the fault. */
export function applyMutant(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

function linesOf(
  text: string,
  { start, end, replacement }: Fault,
): { line: number; from: string; to: string } {
  const first = text.lastIndexOf('\n', start - 1) + 1
  const next = text.indexOf('\n', end)
  const last = next < 0 ? text.length : next
  return {
    line: text.slice(0, start).split('\n').length,
    from: spaced(text.slice(first, last)),
    to: spaced(text.slice(first, start) + replacement + text.slice(end, last)),
  }
}

function spaced(lines: string): string {
  return lines.replaceAll(/\s+/g, ' ').trim()
}

function visit(node: Node, text: string, faults: Fault[]): void {
  if (isSkipped(node, text)) return
  faults.push(...faultsOf(node, text))
  for (const child of childrenOf(node)) visit(child, text, faults)
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && 'type' in value)
}

/** Types do not run, and texts of errors and logs are for people. */
function isSkipped(node: Node, text: string): boolean {
  if (node.type.startsWith('TS')) return !/^TS(As|Satisfies|NonNull)/.test(node.type)
  if (/^(Import|ExportAll)/.test(node.type)) return node.type !== 'ImportExpression'
  if (node.type === 'ThrowStatement') return true
  if (node.type === 'NewExpression') return sourceOf(node['callee'], text).endsWith('Error')
  if (node.type === 'CallExpression') return telling.test(sourceOf(node['callee'], text))
  return false
}

function sourceOf(node: unknown, text: string): string {
  const { start, end } = node as Node
  return text.slice(start, end)
}

function faultsOf(node: Node, text: string): Fault[] {
  const { start, end, type } = node
  const source = (one: unknown): string => sourceOf(one, text)
  const whole = (kind: MutantKind, replacement: string): Fault => ({ kind, start, end, replacement })
  const { left, right, operator, argument, test, expression, callee } = node
  switch (type) {
    case 'IfStatement':
    case 'ConditionalExpression':
    case 'WhileStatement': {
      const { start: from, end: to } = test as Node
      // A comparison is a fault of its own.
      if ((test as Node).type === 'BinaryExpression') return []
      return [{ kind: 'negated condition', start: from, end: to, replacement: `!(${source(test)})` }]
    }
    case 'BinaryExpression': {
      const isText = [left, right].some((side) => /^['"`]/.test(source(side)))
      const numeric = isText ? undefined : arithmetic[operator as string]
      const other = comparisons[operator as string]
      if (other !== undefined) return [whole('comparison', `${source(left)} ${other} ${source(right)}`)]
      return numeric === undefined ? [] : [whole('arithmetic', `${source(left)} ${numeric} ${source(right)}`)]
    }
    case 'LogicalExpression':
      if (operator === '??') return [whole('fallback', `(${source(left)})`)]
      return [whole('logic', `(${source(left)}) ${operator === '&&' ? '||' : '&&'} (${source(right)})`)]
    case 'AwaitExpression':
      return [whole('dropped await', `(${source(argument)})`)]
    case 'ExpressionStatement': {
      const call =
        (expression as Node).type === 'AwaitExpression' ? (expression as Node)['argument'] : expression
      return (call as Node).type === 'CallExpression' && !isSkipped(call as Node, text)
        ? [whole('dropped call', 'void 0')]
        : []
    }
    case 'Literal':
      if (typeof node['value'] === 'number') return [whole('constant', `(${source(node)} + 1)`)]
      return typeof node['value'] === 'boolean' ? [whole('constant', String(!node['value']))] : []
    case 'CallExpression': {
      const passed = node['arguments'] as Node[]
      return [...swappedArguments(passed, text), ...droppedFilter(node, callee as Node, text)]
    }
    case 'TemplateElement':
      return queryFaults(node, text)
    default:
      return []
  }
}

function swappedArguments([first, second]: readonly Node[], text: string): Fault[] {
  const isName = (node: Node | undefined): node is Node =>
    /^(Identifier|MemberExpression)$/.test(node?.type ?? '')
  if (!isName(first) || !isName(second) || parts.test(sourceOf(first, text))) return []
  const replacement = `${sourceOf(second, text)}, ${sourceOf(first, text)}`
  return [{ kind: 'swapped arguments', start: first.start, end: second.end, replacement }]
}

function droppedFilter({ end }: Node, callee: Node, text: string): Fault[] {
  if (callee.type !== 'MemberExpression') return []
  const { end: start } = callee['object'] as Node
  return filters.has(sourceOf(callee['property'], text))
    ? [{ kind: 'dropped filter', start, end, replacement: '' }]
    : []
}

/** Faults in the conditions of a query. A part of a template has its backtick. */
function queryFaults({ start, end }: Node, text: string): Fault[] {
  const part = text.slice(start, end)
  const negations = [...part.matchAll(/\bis not null\b/g)].map((match) => ({ match, replacement: 'is null' }))
  const joined = /\band [\w.]+ (?:=|<>|<=?|>=?|is) [^\n()`$]+(?=\n|`)/g
  const dropped = [...part.matchAll(joined)].map((match) => ({ match, replacement: '' }))
  return [...negations, ...dropped].map(({ match, replacement }) => ({
    kind: 'query',
    start: start + match.index,
    end: start + match.index + match[0].length,
    replacement,
  }))
}
