import type { SavedStyle } from '@everscan/contract/resources/saved-styles.ts'
import type { SavedStyleRow } from '../../catalogue/codes/saved-styles.ts'
import { timestamp } from './timestamps.ts'

/** A saved style as the API and the archive of an organization show it. */
export function savedStyleRecord({
  id,
  name,
  style,
  isDefault,
  createdAtMs,
  updatedAtMs,
}: SavedStyleRow): SavedStyle {
  return {
    id,
    name,
    style,
    isDefault,
    createdAt: timestamp(createdAtMs),
    updatedAt: timestamp(updatedAtMs),
  }
}
