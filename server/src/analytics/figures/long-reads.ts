/** Time limit of a query for a piece of an export or an archive, in milliseconds. */
export const pieceMsMax = 60_000
/** Ids are looked for in all scans, in no order of the store. */
export const idsMsMax = 600_000
/** Ids that are read at once. */
export const idsAtOnce = 5_000
/** Scans of a piece of an export: about 3 MB of text. */
export const exportedPerPiece = 50_000
/** Hits of a piece of an archive: about 5 MB of text. */
export const archivedPerPiece = 20_000
