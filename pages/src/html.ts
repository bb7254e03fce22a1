/**
 * Markup that is written as it is. `html` creates it from a template and escapes every value. A
 * direct call of the constructor escapes nothing.
 */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Fragment = Html | string | number | false | undefined | readonly Fragment[]

/**
 * Renders markup with values in it. The template stays, texts and numbers are escaped, lists are
 * joined, and `undefined` and `false` become nothing. Quote attributes in the template, because
 * values are escaped only for text and quoted attributes. Line breaks and indentation of the
 * template are dropped.
 *
 * @example html`<p title="${title}">${text}</p>`
 */
export function html(template: TemplateStringsArray, ...values: readonly Fragment[]): Html {
  const strings = compacted(template)
  let text = strings[0] ?? ''
  for (let at = 0; at < values.length; at++) text += write(values[at]) + (strings[at + 1] ?? '')
  return new Html(text)
}

/** Compacted templates. A template is the same array at every call, so each is compacted once. */
const compactedTemplates = new WeakMap<TemplateStringsArray, readonly string[]>()

function compacted(template: TemplateStringsArray): readonly string[] {
  let strings = compactedTemplates.get(template)
  if (strings === undefined) {
    strings = template.map((part) => part.replace(/([>])?\s*\n\s*([<>])?/g, joinLines))
    compactedTemplates.set(template, strings)
  }
  return strings
}

/** Leaves nothing between tags, and a space elsewhere, as between two attributes. */
function joinLines(_: string, end = '', beginning = ''): string {
  return end === '' && beginning === '' ? ' ' : end + beginning
}

function write(value: Fragment): string {
  if (value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(write).join('')
  return escapeHtml(String(value))
}

// Control characters except tab and line breaks are not allowed in HTML (WHATWG, 13.2.3.5). Half a
// surrogate pair is not allowed in UTF-8.
// oxlint-disable-next-line no-control-regex
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** Escapes a text for use in text and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .toWellFormed()
    .replace(unwritable, '\u{fffd}')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
