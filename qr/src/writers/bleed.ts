import type { Drawing, Layer } from '../drawing/drawing.ts'
import { type Box, evenRadii, pushBox } from '../shapes/shapes.ts'
import type { PrintMeasures } from './print.ts'

/**
 * Returns the layers of a drawing with a bleed: the background continues on every side, and so do
 * the straight edges of a frame. The picture itself stays as it is. A transparent picture without a
 * frame has nothing that continues.
 */
export function layersWithBleed(drawing: Drawing, { bleedPt, scale }: PrintMeasures): readonly Layer[] {
  if (bleedPt === 0) return drawing.layers
  const modules = bleedPt / scale
  const outer = {
    x: drawing.x - modules,
    y: drawing.y - modules,
    width: drawing.width + 2 * modules,
    height: drawing.height + 2 * modules,
  }
  const layers = drawing.layers.map((layer) => (layer.kind === 'box' ? { ...layer, box: outer } : layer))
  const strips = frameStrips(drawing, outer)
  if (strips === undefined) return layers
  const at = layers.findIndex(({ kind }) => kind !== 'box')
  return layers.toSpliced(at, 0, strips)
}

/** Strips overlap the frame by this much, in modules, so that no hairline shows between them. */
const overlap = 0.5

function frameStrips({ frame, x, y, width, height }: Drawing, outer: Box): Layer | undefined {
  if (frame === undefined) return undefined
  const { fill, radius } = frame
  const modules = x - outer.x
  const across = { x: x + radius, width: width - 2 * radius, height: modules + overlap }
  const down = { y: y + radius, height: height - 2 * radius, width: modules + overlap }
  const path: number[] = []
  for (const box of [
    { ...across, y: outer.y },
    { ...across, y: y + height - overlap },
    { ...down, x: outer.x },
    { ...down, x: x + width - overlap },
  ])
    pushBox(path, box, { radii: evenRadii(0), turn: 'filled' })
  return { kind: 'path', path, fill }
}

/** Width of the lines of crop marks, in points. */
export const markLinePt = 0.25

/**
 * Returns crop marks as lines in points, y up: two at each corner of the picture, outside its
 * bleed. Empty without crop marks.
 */
export function cropMarkLines({
  widthPt,
  heightPt,
  aroundPt,
  markPt,
}: PrintMeasures): (readonly [x1: number, y1: number, x2: number, y2: number])[] {
  if (markPt === 0) return []
  const right = aroundPt + widthPt
  const top = aroundPt + heightPt
  const ends = (far: number) => [[0, markPt] as const, [far + aroundPt - markPt, far + aroundPt] as const]
  return [
    ...[aroundPt, right].flatMap((x) => ends(top).map(([from, to]) => [x, from, x, to] as const)),
    ...[aroundPt, top].flatMap((y) => ends(right).map(([from, to]) => [from, y, to, y] as const)),
  ]
}
