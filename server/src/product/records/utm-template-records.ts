import type { UtmTemplate } from '@everscan/contract/utm/utm-templates.ts'
import type { UtmTemplateRow } from '../../catalogue/codes/utm-templates.ts'
import { timestamp } from './timestamps.ts'

/** Returns a template as the API and the archive of an organization show it. */
export function utmTemplateRecord(row: UtmTemplateRow): UtmTemplate {
  const { id, name, source, medium, campaign, term, content, createdAtMs, updatedAtMs } = row
  return {
    id,
    name,
    source,
    medium,
    campaign,
    term,
    content,
    createdAt: timestamp(createdAtMs),
    updatedAt: timestamp(updatedAtMs),
  }
}
