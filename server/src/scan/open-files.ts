/** The files that one front may have open, by what they are for. */
export type OpenFiles = {
  /** Connections of clients. */
  clients: number
  /** Connections to the processes of the API together, one for each request in progress. */
  upstreams: number
}

/** Taken if the system has no limit, or does not say it. */
const unknownLimit = 65_536
/** The journal, the catalogue and Node itself keep this share of the limit, within these bounds. */
const ownShare = 1 / 8
const ownMin = 64
const ownMax = 512
/** The share of clients in the rest: a request to the API takes a second file. */
const clientsShare = 2 / 3
/** An idle connection takes about 15 KB of memory (measured), which ends before a high limit. */
const clientsMax = 100_000

/**
 * Divides the files that a process may open, so that clients leave enough of them to everything
 * else. `limits` is the text of /proc/self/limits of that process.
 */
export function divideOpenFiles(limits: string): OpenFiles {
  const [, soft] = /^Max open files +(\d+) /m.exec(limits) ?? []
  const limit = soft === undefined ? unknownLimit : Number(soft)
  const own = Math.min(Math.max(ownMin, Math.floor(limit * ownShare)), ownMax)
  const clients = Math.min(Math.max(1, Math.floor((limit - own) * clientsShare)), clientsMax)
  return { clients, upstreams: Math.max(1, Math.min(limit - own - clients, clients)) }
}
