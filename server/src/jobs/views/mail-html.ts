/** Text that is HTML already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The only way to HTML: escapes every text that is none. */
export function html(
  parts: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[])[]
): Html {
  const written = values.map((value) => {
    if (value instanceof Html) return value.text
    return typeof value === 'string' ? escapeText(value) : value.map(({ text }) => text).join('')
  })
  return new Html(String.raw({ raw: parts }, ...written))
}

function escapeText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
