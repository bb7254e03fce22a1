import { problem } from '@everscan/contract/problems/problem.ts'
import type { Style } from '@everscan/contract/resources/styles.ts'
import { readDefaultStyle, readSavedStyle } from '../../catalogue/codes/saved-styles.ts'
import type { Database } from '../../db/database.ts'
import { validationError } from '../../request-errors.ts'

/** Resolves a `styleId`: undefined is the default style of the organization, null no style. */
export type StyleLookup = (styleId: string | null | undefined) => Promise<Style>

/**
 * Returns a function that looks each style up once. The function throws ApiError 400 for a style
 * that the organization does not have.
 */
export function styleLookup(db: Database, organizationId: string): StyleLookup {
  const found = new Map<string | null | undefined, Promise<Style>>()
  return async (styleId) => {
    const style = found.get(styleId) ?? lookUp(db, organizationId, styleId)
    found.set(styleId, style)
    return style
  }
}

async function lookUp(
  db: Database,
  organizationId: string,
  styleId: string | null | undefined,
): Promise<Style> {
  if (styleId === null) return {}
  if (styleId === undefined) return (await readDefaultStyle(db, organizationId))?.style ?? {}
  const row = await readSavedStyle(db, { organizationId, id: styleId })
  if (row !== undefined) return row.style
  throw validationError([{ path: 'styleId', ...problem('noSuchStyle', { got: styleId }) }])
}
