import { limits } from './limits.ts'

/** A request with a file: its path below `/api/v1`, and the most bytes of the file. */
export type UploadRoute = { method: 'POST'; path: string; fileBytesMax: number }

/**
 * Every request with a file. Its body may take longer than others, for as long as it keeps coming
 * (`limits.uploadBytesPerSecondMin`).
 */
export const uploadRoutes: readonly UploadRoute[] = [
  { method: 'POST', path: '/organizations/imports', fileBytesMax: limits.archiveBytesMax },
  { method: 'POST', path: '/organizations/:orgId/moves', fileBytesMax: limits.moveBytesMax },
  { method: 'POST', path: '/organizations/:orgId/qr-codes/bulk-import', fileBytesMax: limits.importBytesMax },
  {
    method: 'POST',
    path: '/organizations/:orgId/qr-codes/bulk-import/preview',
    fileBytesMax: limits.importBytesMax,
  },
]

const patterns = uploadRoutes.map((route) => ({
  ...route,
  pattern: new RegExp(`^/api/v1${route.path.replaceAll(/:\w+/g, '[^/]+')}/?(?:\\?|$)`),
}))

/** Returns the most bytes of the file of a request; undefined if the request has no file. */
export function fileBytesMaxOf(method: string, url: string): number | undefined {
  if (method !== 'POST') return undefined
  return patterns.find((route) => route.method === method && route.pattern.test(url))?.fileBytesMax
}

/**
 * Returns how long a file of so many bytes may take to arrive, in milliseconds: at the least rate,
 * after the time that every body has.
 */
export function uploadMs(bytes: number): number {
  return (limits.bodySecondsMax + bytes / limits.uploadBytesPerSecondMin) * 1_000
}
