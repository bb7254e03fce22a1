/** The part of a map that is shown: left, top, width and height. */
export type Box = readonly [x: number, y: number, width: number, height: number]

/** Part of the largest side that is left free around a country. */
const margin = 0.15
const widthLeast = 40

/**
 * Returns the part of the map that shows a country, in the proportions of the map. Of a country of
 * several parts it is the largest: with French Guiana, France would be a dot.
 */
export function countryBox(path: string, map: { width: number; height: number }): Box {
  const boxes = path
    .split('M')
    .slice(1)
    .map(ringBox)
    .toSorted((one, other) => other[2] * other[3] - one[2] * one[3])
  const [x, y, width, height] = boxes[0] ?? [0, 0, map.width, map.height]
  const shown = Math.max(
    widthLeast,
    width * (1 + 2 * margin),
    (height * (1 + 2 * margin) * map.width) / map.height,
  )
  return boxAround([x + width / 2, y + height / 2], shown, map)
}

/** Returns the part of the map around a point. */
export function boxAround(
  [x, y]: readonly [number, number],
  width: number,
  map: { width: number; height: number },
): Box {
  const height = (width * map.height) / map.width
  return [x - width / 2, y - height / 2, width, height]
}

/** Bounds of a ring: a start, then relative steps, all in whole units. */
function ringBox(ring: string): Box {
  const [startX = 0, startY = 0, ...steps] = (ring.match(/-?\d+/g) ?? []).map(Number)
  let [x, y] = [startX, startY]
  let [left, top, right, bottom] = [x, y, x, y]
  for (let at = 0; at < steps.length; at += 2) {
    x += steps[at] ?? 0
    y += steps[at + 1] ?? 0
    left = Math.min(left, x)
    right = Math.max(right, x)
    top = Math.min(top, y)
    bottom = Math.max(bottom, y)
  }
  return [left, top, right - left, bottom - top]
}
