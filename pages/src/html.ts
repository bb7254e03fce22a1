/** Markup that may stand as it is. Made by `html` only, so that whatever is not markup is escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Fragment = Html | string | number | false | undefined | readonly Fragment[]

/**
 * Markup with values in it: markup stays, texts and numbers are escaped, lists are joined, `undefined` and `false` are
 * nothing. Attributes are quoted in the template, as a value is escaped for text and for quoted attributes only. Line breaks of
 * a template and what indents its lines are left out.
 *
 * @example html`<p title="${title}">${text}</p>`
 */
export function html(template: TemplateStringsArray, ...values: readonly Fragment[]): Html {
  const strings = compacted(template)
  let text = strings[0] ?? ''
  for (let at = 0; at < values.length; at++) text += write(values[at]) + (strings[at + 1] ?? '')
  return new Html(text)
}

/** Every template is one array for ever, so each is compacted once. */
const compactedTemplates = new WeakMap<TemplateStringsArray, readonly string[]>()

function compacted(template: TemplateStringsArray): readonly string[] {
  let strings = compactedTemplates.get(template)
  if (strings === undefined) {
    strings = template.map((part) => part.replace(/([>])?\s*\n\s*([<>])?/g, joinLines))
    compactedTemplates.set(template, strings)
  }
  return strings
}

/** Between tags nothing is left; elsewhere, as between two attributes, a space. */
function joinLines(_: string, end = '', beginning = ''): string {
  return end === '' && beginning === '' ? ' ' : end + beginning
}

function write(value: Fragment): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(write).join('')
  return escapeHtml(String(value))
}

// Control characters but tab and line breaks have no place in HTML (WHATWG, 13.2.3.5); half a surrogate pair has none in UTF-8.
// oxlint-disable-next-line no-control-regex
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** As it may stand in text and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replace(unwritable, '\u{fffd}')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
