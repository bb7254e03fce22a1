import { queryOptions } from '@tanstack/react-query'
import { api } from '../session/api.ts'
import { loadPart } from '../session/reachability.ts'

/** How often a check asks whether the phone has arrived. */
const pollMs = 1_500
const newCheckMs = 50 * 60_000

export const publicAddressQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['public-address', orgId],
    queryFn: async ({ signal }) => api.organizations.publicAddress(orgId, { signal }),
  })

/** Returns the query that starts a check with a phone, and another before its hour is over. */
export const newCheckQuery = (orgId: string) =>
  queryOptions({
    queryKey: ['new-address-check', orgId],
    queryFn: async ({ signal }) => api.organizations.checkAddress(orgId, { signal }),
    staleTime: newCheckMs,
    gcTime: newCheckMs,
    refetchInterval: newCheckMs,
  })

/** Returns the query that asks whether the phone has arrived, until it came from outside. */
export const checkQuery = (orgId: string, id: string | undefined) =>
  queryOptions({
    queryKey: ['address-check', orgId, id],
    queryFn: async ({ signal }) => api.organizations.addressCheck(orgId, id ?? '', { signal }),
    enabled: id !== undefined,
    refetchInterval: ({ state: { data, status } }) =>
      data?.fromOutside === true || status === 'error' ? false : pollMs,
  })

/** Returns the query of the picture of an address, as the address of an image. */
export const addressPictureQuery = (url: string | undefined) =>
  queryOptions({
    queryKey: ['address-picture', url],
    queryFn: async () => {
      const { drawLivePicture, svgAddress } = await loadPart(async () => import('./live-pictures.ts'))
      return svgAddress(await drawLivePicture({ shortUrl: url ?? '', style: {} }))
    },
    enabled: url !== undefined,
    staleTime: Infinity,
  })
