/**
 * How the short codes of a host name are compared. `canonical`: in canonical form
 * (`canonicalShortCode`). `exact`: character by character, for codes that another product made.
 */
export const codeForms = ['canonical', 'exact'] as const
export type CodeForm = (typeof codeForms)[number]
