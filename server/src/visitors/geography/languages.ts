import { cached } from '../string-cache.ts'

/**
 * Returns the displayed language of a scan: the first tag of `Accept-Language` in canonical form
 * (`de-DE`, `zh-Hant-TW`), or empty if it is missing or not a BCP 47 tag.
 */
export const languageOf = cached((header): string => {
  const tag = header.split(/[,;]/, 1)[0]?.trim().replaceAll('_', '-') ?? ''
  if (!/^[a-z]{2,3}(?:-[a-z0-9]{1,8})*$/i.test(tag)) return ''
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? ''
  } catch {
    return ''
  }
})
