/** A UTM template of the fixture, with and without values. */
export function utmTemplate(name: string, textOf: (index: number) => string) {
  return {
    id: `utm_${name}`,
    name: textOf(11),
    source: textOf(12),
    medium: null,
    campaign: 'spring-{folder}',
    term: null,
    content: '{name}',
  }
}
