// The floor plan: who may import whom. ARCHITECTURE.md explains it, house-rules.ts checks it.

/** A folder → the folders beside it that it may import. */
type Imports = Readonly<Record<string, readonly string[]>>

/** Workspaces, by name. */
export const workspaceImports: Imports = {
  contract: [],
  qr: ['contract'],
  pages: ['contract', 'qr'],
  client: ['contract'],
  server: ['contract', 'pages', 'qr'],
  web: ['client', 'contract', 'pages', 'qr'],
  bench: ['client', 'contract', 'qr', 'server'],
}

/**
 * Rooms of each workspace: the folders in its `src`. A room may import itself and the named rooms.
 * Files directly in `src` are leaves or wiring.
 */
export const roomImports: Readonly<Record<string, Imports>> = {
  contract: {
    dimensions: [],
    // Every refusal and warning, by name.
    problems: ['dimensions'],
    schema: ['dimensions', 'problems'],
    'code-types': ['problems', 'schema'],
    words: ['code-types', 'dimensions'],
    rules: ['access', 'code-types', 'problems', 'schema'],
    access: ['code-types', 'problems', 'schema'],
    resources: ['access', 'code-types', 'dimensions', 'domains', 'problems', 'rules', 'schema'],
    domains: ['code-types', 'problems', 'schema'],
    utm: ['schema'],
    archives: ['schema'],
    moves: ['domains', 'problems', 'resources', 'schema'],
    views: ['resources', 'schema'],
    // Every endpoint of the API: what it takes, what it answers, who may call it.
    endpoints: ['archives', 'domains', 'moves', 'resources', 'rules', 'schema', 'utm', 'views'],
  },
  qr: {
    content: [],
    shapes: ['content'],
    drawing: ['content', 'shapes'],
    writers: ['content', 'drawing', 'shapes'],
    reading: ['drawing', 'writers'],
    labels: ['drawing', 'shapes', 'writers'],
    fonts: [],
  },
  pages: { languages: [] },
  server: {
    // How code gets into a process: the bundle, or the sources.
    loading: [],
    settings: [],
    // Everything that can be wrong with an installation, and how it is found.
    problems: [],
    db: ['problems'],
    journal: [],
    analytics: [],
    // Files that people send, and those that they get.
    files: [],
    // Connections that we open: only to addresses that a setting permits.
    outgoing: [],
    // Queues that are fair, paces and brakes.
    turns: [],
    processes: ['problems', 'turns'],
    // Which content a visitor gets: pure functions of rules and what is known of a visitor.
    rules: [],
    // Geography and user agents: the known facts of a visitor.
    visitors: ['db', 'journal'],
    scan: ['db', 'files', 'journal', 'processes', 'rules', 'turns', 'visitors'],
    // The parts of a front, its figures, and threads for work that may not hold it up.
    front: ['catalogue', 'db', 'journal', 'problems', 'processes', 'rules', 'scan', 'visitors'],
    ingest: ['analytics', 'db', 'journal', 'visitors'],
    catalogue: ['db', 'problems', 'turns'],
    // Bounds of requests, tries, streams and downloads, in this process or on all machines.
    limits: ['catalogue', 'db', 'turns'],
    // The product, as its doors call it: the API, MCP, jobs, commands and the demo.
    product: [
      'analytics',
      'catalogue',
      'db',
      'files',
      'limits',
      'outgoing',
      'processes',
      'rules',
      'turns',
      'visitors',
    ],
    api: [
      'analytics',
      'catalogue',
      'db',
      'files',
      'limits',
      'problems',
      'product',
      'rules',
      'turns',
      'visitors',
    ],
    copies: ['analytics', 'catalogue', 'db', 'ingest', 'journal', 'processes'],
    jobs: [
      'analytics',
      'catalogue',
      'copies',
      'db',
      'ingest',
      'outgoing',
      'problems',
      'processes',
      'product',
      'scan',
      'turns',
      'visitors',
    ],
    // It makes codes as the API does, and scans as a front does.
    demo: ['catalogue', 'db', 'journal', 'processes', 'product', 'rules', 'visitors'],
    // It reads every part and changes none.
    doctor: [
      'analytics',
      'catalogue',
      // An engine of scans in files, if no service runs.
      'copies',
      'db',
      'ingest',
      'jobs',
      'journal',
      'problems',
      'processes',
      'product',
      'visitors',
    ],
    commands: ['catalogue', 'copies', 'db', 'demo', 'doctor', 'processes', 'product'],
  },
  bench: { redirects: ['load'], 'scan-files': ['load'] },
  web: {
    words: [],
    ui: ['words'],
    session: ['ui', 'words'],
    codes: ['session', 'ui', 'words'],
    rules: ['codes', 'session', 'ui', 'words'],
    editor: ['codes', 'rules', 'session', 'ui', 'words'],
    views: ['session', 'ui', 'words'],
    analytics: ['codes', 'session', 'ui', 'views', 'words'],
    imports: ['codes', 'session', 'ui', 'words'],
    bulk: ['codes', 'editor', 'imports', 'session', 'ui', 'words'],
    developers: ['session', 'ui', 'words'],
    settings: ['codes', 'session', 'ui', 'words'],
    finder: ['codes', 'session', 'ui', 'words'],
    shell: ['codes', 'finder', 'session', 'ui', 'words'],
  },
}

/**
 * Sub-rooms of a room, by `workspace/room`. A sub-room may import itself and the named sub-rooms.
 * Files directly in the room are shared by its sub-rooms, or put them together. Only the rule
 * against cycles binds these files.
 */
export const subRoomImports: Readonly<Record<string, Imports>> = {
  'web/analytics': { destinations: [] },
  'server/analytics': {
    store: [],
    engine: [],
    insert: ['store'],
    figures: ['store'],
    copies: ['figures', 'files', 'insert', 'store'],
    files: ['figures', 'insert', 'store'],
  },
  'server/ingest': {
    'set-aside': [],
    clickhouse: ['set-aside'],
    files: ['set-aside'],
  },
  'server/api': {
    http: [],
    openapi: ['http'],
    guide: [],
    reference: ['guide', 'openapi'],
    styles: ['http'],
    domains: ['http'],
    codes: ['http'],
    pictures: ['http'],
    imports: ['http'],
    moves: ['http'],
    accounts: ['http'],
    archives: ['http'],
    organizations: ['accounts', 'http'],
    events: ['http'],
    analytics: ['http'],
    views: ['http'],
    mcp: ['analytics', 'codes', 'http', 'imports', 'pictures', 'styles'],
  },
  'server/product': {
    // Problems of given values, and records as the API returns them.
    validation: [],
    records: [],
    mails: [],
    styles: ['records'],
    pictures: ['records', 'styles'],
    codes: ['records', 'styles', 'validation'],
    domains: [],
    figures: [],
    views: ['figures', 'mails', 'records'],
    // Files of codes; moves/ of another service's, archives/ of another installation's.
    imports: ['codes', 'records', 'styles', 'validation'],
    installation: ['records'],
    accounts: ['mails', 'records', 'validation'],
    events: ['accounts'],
    // Files with which any web server answers the codes when the service is gone.
    'static-site': ['records'],
  },
  'server/catalogue': {
    rows: [],
    ledger: ['rows'],
    accounts: ['ledger', 'rows'],
    organizations: ['accounts', 'ledger', 'rows'],
    installation: ['accounts', 'codes', 'domains', 'imports', 'ledger', 'limits', 'organizations', 'rows'],
    limits: [],
    mails: ['accounts', 'ledger', 'organizations', 'rows'],
    domains: ['ledger', 'rows'],
    certificates: ['rows'],
    codes: ['domains', 'ledger', 'rows'],
    imports: ['ledger', 'rows'],
    // Codes that wait until their host name is proved.
    waiting: ['codes', 'domains', 'imports', 'ledger', 'rows'],
    webhooks: ['ledger', 'rows'],
    views: ['accounts', 'ledger', 'mails', 'rows'],
  },
  'server/db': {
    dialects: [],
    lists: ['dialects'],
    feeds: ['dialects'],
    scans: ['dialects', 'feeds'],
    migrations: ['dialects'],
    dump: ['dialects', 'migrations'],
  },
  'server/visitors': { 'user-agents': [], geography: [] },
  'server/jobs': {
    certificates: ['rows'],
    // Chores that belong to no kind of job.
    chores: [],
    copies: [],
    domains: ['certificates'],
    imports: [],
    moves: [],
    views: [],
    webhooks: [],
  },
  'server/scan': {
    internals: [],
    visitors: [],
    access: ['internals', 'visitors'],
    // The steps of a scan between its lookup and its answer.
    stages: ['access', 'internals', 'visitors'],
    hosts: ['stages'],
    tls: ['hosts'],
    bodies: [],
  },
}

/**
 * Files of `server/src` that every room may import, as it may `settings`. They import each other
 * only.
 */
export const serverLeaves: ReadonlySet<string> = new Set([
  'address-networks.ts',
  'amounts.ts',
  'clock-offsets.ts',
  'reach-codes.ts',
  'errors.ts',
  'dns-looks.ts',
  'ids.ts',
  'log.ts',
  'public-hosts.ts',
  'release.ts',
  'request-errors.ts',
  'secret-box.ts',
  'write-problem.ts',
])
