import server from '../package.json' with { type: 'json' }

/** Which release of Everscan this is, such as `0.1.0`. */
export const release: string = server.version
