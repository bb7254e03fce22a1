/**
 * Appends a key to a path: `joinPath('links[0]', 'url')` is `links[0].url`, `joinPath('links', 0)`
 * is `links[0]`.
 */
export function joinPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`
  return path === '' ? key : `${path}.${key}`
}
