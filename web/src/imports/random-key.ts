/** Returns a random key. `crypto.randomUUID` does not exist on pages without https. */
export function randomKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}
