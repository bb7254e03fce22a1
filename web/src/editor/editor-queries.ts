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

/** What short URLs begin with: as that of any code does, else as this page's address does. */
export const shortUrlPrefixQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['short-url-prefix', orgId],
    queryFn: async ({ signal }) => {
      const { data } = await api.qrCodes.list(orgId, { limit: 1 }, { signal })
      const [code] = data
      return code === undefined ? `${location.origin}/` : code.shortUrl.slice(0, -code.shortCode.length)
    },
    staleTime: Infinity,
  })

/** The pattern of a saved code; null when it cannot be told. */
export const keptPatternQuery = (orgId: string, { id, name, style, shortUrl, updatedAt }: TypedQrCode) =>
  queryOptions({
    // A logo makes it larger, and it stays so.
    queryKey: ['kept-pattern', orgId, id, updatedAt],
    queryFn: async ({ signal }) => {
      const { bytes } = await api.qrCodes.download(orgId, id, { format: 'svg' }, { signal })
      const svg = new TextDecoder().decode(bytes)
      return (await findKeptPattern(svg, { shortUrl, style, title: name })) ?? null
    },
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  })
