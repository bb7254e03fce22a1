import type { Style, UpdateStyle } from '@everscan/contract/resources/styles.ts'

/** A part of the style editor: the style as it is, and what changes it by key. */
export type StylePartProps = { style: Style; onChange: (changes: UpdateStyle) => void }
