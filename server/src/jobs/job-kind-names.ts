/** The kinds of jobs of `jobKinds`, those first that are claimed first. */
export const jobKindNames = ['import', 'move', 'archive', 'waiting'] as const
export type JobKindName = (typeof jobKindNames)[number]
