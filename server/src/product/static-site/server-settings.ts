/** A host name of the codes, and where it leads besides them. */
export type StaticHost = {
  hostname: string
  /** Null: our own page. */
  rootUrl: string | null
  notFoundUrl: string | null
}

/**
 * The answer of a path of a host. A page is a file below the folder of the host. Servers ignore the
 * letter case of paths that do not ask for it.
 */
export type StaticPath = {
  path: string
  to: { address: string } | { status: number; file: string }
  isCaseSensitive?: boolean
}

/** The folder that the settings name if no other is given. */
export const staticFolder = '/srv/everscan'

/** Returns one line for a path in a map of nginx: the status, and an address or a file. */
export function nginxLine({ path, to, isCaseSensitive = false }: StaticPath): string {
  const value = 'address' in to ? `302 ${forNginx(to.address)}` : `${to.status} ${to.file}`
  return `"${isCaseSensitive ? `~${expressionOf(path)}` : path}" "${value}";\n`
}

/** Returns the lines for a path in Caddy's settings. */
export function caddyLine({ isCaseSensitive = false, ...line }: StaticPath): string {
  if (!isCaseSensitive) return caddyLineOf(line)
  const name = `@x${Buffer.from(line.path).toString('hex')}`
  return `${name} path_regexp ${expressionOf(line.path)}\n${caddyLineOf({ ...line, path: name })}`
}

function caddyLineOf({ path, to }: Pick<StaticPath, 'path' | 'to'>): string {
  if ('address' in to) return `redir ${path} "${forCaddy(to.address)}" 302\n`
  if (to.status === 200) return `rewrite ${path} ${to.file}\n`
  return `handle ${path} {\n  rewrite * ${to.file}\n  file_server {\n    status ${to.status}\n  }\n}\n`
}

/** Returns nginx's settings for all hosts, to be included in `http { }`. */
export function nginxSettings(hosts: readonly StaticHost[], folder: string): string {
  return `# In http { }: include ${folder}/nginx.conf;
map_hash_max_size 2097152;
map_hash_bucket_size 256;
geo ${dollar} {
  default "$";
}
${hosts.map((host, at) => nginxServer(host, { at, folder })).join('')}`
}

function nginxServer(
  { hostname, rootUrl, notFoundUrl }: StaticHost,
  { at, folder }: { at: number; folder: string },
): string {
  // Variables are global, so each host has its own.
  const found = `$everscan_${at}`
  return `
# A map ignores letter case: https://nginx.org/en/docs/http/ngx_http_map_module.html
map $uri ${found} {
  default "404 /404.html";
  "/" "${rootUrl === null ? '200 /index.html' : `302 ${forNginx(rootUrl)}`}";
  include ${folder}/nginx/${hostname}/*.map;
}
map ${found} ${found}_status {
  ~^(?<everscan_${at}_s>\\d+) $everscan_${at}_s;
}
map ${found} ${found}_target {
  "~^\\d+ (?<everscan_${at}_t>.*)$" $everscan_${at}_t;
}
server {
  listen 80;
  server_name ${hostname};
  root ${folder}/sites/${hostname};
  charset utf-8;
  charset_types text/plain text/vcard;
  types { text/html html; text/vcard vcf; text/plain txt; }
  add_header Cache-Control "private, no-store" always;
  add_header X-Content-Type-Options nosniff always;
  add_header Referrer-Policy no-referrer always;
  add_header X-Robots-Tag noindex always;
  # What chat programs append to an address.
  rewrite ^(/.*[^/])/+$ $1;
  error_page 403 404 410 @page;
  location / {
    if (${found}_status = 302) { return 302 ${found}_target; }
    if (${found}_status = 403) { return 403; }
    if (${found}_status = 404) { return ${notFoundUrl === null ? '404' : `302 "${forNginx(notFoundUrl)}"`}; }
    if (${found}_status = 410) { return 410; }
    try_files ${found}_target =404;
  }
  location @page { try_files ${found}_target =404; }
}
`
}

/** Returns Caddy's settings for all hosts. */
export function caddySettings(hosts: readonly StaticHost[], folder: string): string {
  return hosts
    .map(
      ({ hostname, rootUrl, notFoundUrl }) => `# Without "http://", Caddy gets a certificate for the name.
http://${hostname} {
  root * ${folder}/sites/${hostname}
  header {
    Cache-Control "private, no-store"
    X-Content-Type-Options nosniff
    Referrer-Policy no-referrer
    X-Robots-Tag noindex
  }
  header *.vcf Content-Type "text/vcard; charset=utf-8"
${rootUrl === null ? '' : `  redir / "${forCaddy(rootUrl)}" 302\n`}  import ${folder}/caddy/${hostname}/*.caddy
  file_server
  handle_errors {
${notFoundUrl === null ? '    rewrite * /404.html\n    file_server\n' : `    redir * "${forCaddy(notFoundUrl)}" 302\n`}  }
}
`,
    )
    .join('\n')
}

/** Returns the regular expression of a path, whose characters are those of exact short codes. */
function expressionOf(path: string): string {
  return `^${path.replaceAll(/[.+]/g, '[$&]')}$`
}

/** nginx knows no escape for a dollar, only a variable that holds one. */
const dollar = '$everscan_dollar'

/** Returns an address as it stands between double quotes in nginx's settings. */
function forNginx(address: string): string {
  return address.replaceAll(/["\\]/g, '\\$&').replaceAll('$', () => `\${${dollar.slice(1)}}`)
}

/**
 * Returns an address as it stands between double quotes in Caddy's settings, where braces mean
 * something else: they are percent-encoded, which means the same to the destination.
 */
function forCaddy(address: string): string {
  return address.replaceAll(/["\\]/g, '\\$&').replaceAll('{', '%7B').replaceAll('}', '%7D')
}
