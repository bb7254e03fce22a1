import type { TypedQrCode } from '@everscan/client/create-client.ts'
import type { SavedStyle } from '@everscan/contract/resources/saved-styles.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../session/api.ts'
import { findKeptPattern } from '../codes/live-pictures.ts'

export const savedStylesQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['styles', orgId],
    queryFn: async ({ signal }) => {
      const styles: SavedStyle[] = []
      for await (const style of api.styles.iterate(orgId, { signal })) styles.push(style)
      return styles
    },
  })

/**
 * Returns the query of the beginning of short URLs below PUBLIC_URL: that of any code there,
 * otherwise the origin of this page.
 */
export const shortUrlPrefixQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['short-url-prefix', orgId],
    queryFn: async ({ signal }) => {
      const { data } = await api.qrCodes.list(orgId, { limit: 1, domainId: 'none' }, { signal })
      const [code] = data
      return code === undefined ? `${location.origin}/` : code.shortUrl.slice(0, -code.shortCode.length)
    },
    staleTime: Infinity,
  })

/** Returns the beginning of short URLs on a domain, with the scheme and port of PUBLIC_URL's. */
export function prefixOnDomain(prefix: string, hostname: string): string {
  const url = new URL(prefix)
  url.hostname = hostname
  return `${url.origin}/`
}

/** Returns the query of a saved code's pattern. Null if the pattern cannot be determined. */
export const keptPatternQuery = (orgId: string, { id, name, style, shortUrl, updatedAt }: TypedQrCode) =>
  queryOptions({
    // A logo makes the pattern larger, and it stays larger.
    queryKey: ['kept-pattern', orgId, id, updatedAt],
    queryFn: async ({ signal }) => {
      const { bytes } = await api.qrCodes.download(orgId, id, { format: 'svg' }, { signal })
      const svg = new TextDecoder().decode(bytes)
      return (await findKeptPattern(svg, { shortUrl, style, title: name })) ?? null
    },
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  })
