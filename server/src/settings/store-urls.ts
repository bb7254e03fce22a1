/**
 * Returns an address for each server that a CLICKHOUSE_URL names:
 * `http://user:password@host-1:8123,host-2:8123/database`. Throws an Error if a host is missing,
 * wrong or there twice.
 */
export function storeUrls(text: string): string[] {
  const [, start = '', hosts = '', end = ''] = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s.exec(text) ?? []
  const all = hosts.split(',')
  const urls = all.map((host) => `${start}${host}${end}`)
  // The messages withhold the value: it may hold a password.
  if (all.includes('') || !urls.every((url) => URL.canParse(url)))
    throw new Error('must have only hosts between the commas')
  if (new Set(urls).size < urls.length) throw new Error('names a host twice')
  return urls
}
