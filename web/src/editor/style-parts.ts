import type { Style, UpdateStyle } from '@everscan/contract/resources/styles.ts'

/**
 * Props of a part of the style editor: the current style, and a function that changes keys of it.
 */
export type StylePartProps = { style: Style; onChange: (changes: UpdateStyle) => void }
