/**
 * The hash of the password of a code, as a PHC string. No JSON, log or event can contain it: only
 * `text` gives it.
 */
export class PasswordHash {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  get text(): string {
    return this.#text
  }

  toJSON(): undefined {
    return undefined
  }
}

/** Whether two codes have the same hash, or both none. */
export function isSameHash(one: PasswordHash | null, other: PasswordHash | null): boolean {
  return one?.text === other?.text
}
