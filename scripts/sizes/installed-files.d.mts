export const megabytesMax: { readonly installation: number; readonly image: number }
export function filesForCompilers(modules: string): string[]
export function bytesIn(path: string): number
