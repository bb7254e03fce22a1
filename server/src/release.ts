import server from '../package.json' with { type: 'json' }

/** The release of Everscan, such as `0.1.0`. */
export const release: string = server.version
