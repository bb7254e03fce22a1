import type { Matrix } from '../content/matrix.ts'
import { forEachOutline } from './outlines.ts'
import { type Path, walkPath } from './paths.ts'

/**
 * Coordinates are rounded to a thousandth of a module: at most a sixteenth of a pixel in a picture
 * of 4,096 px of a small code.
 */
const unitsPerModule = 1000

/**
 * Writes SVG path data in the fewest characters: relative coordinates, the shorter form of each
 * start, `h`, `v` and `s` where they are equivalent, and no repeated letters. Rounding errors don't
 * add up: each point is rounded by itself, and the differences of the rounded points are written.
 */
export function writePathData(path: Path): string {
  const data = new PathData()
  walkPath(path, data)
  return data.text
}

/**
 * Writes the path data of a matrix's sharp-cornered outlines. Sides are whole modules and alternate
 * between horizontal and vertical, so only the start of each outline has a choice of forms.
 */
export function writeModules(matrix: Matrix): string {
  let text = ''
  let startX = 0
  let startY = 0
  const { across, down } = sideTexts
  forEachOutline(matrix, (corners, length) => {
    let x = corners[0] ?? 0
    let y = corners[1] ?? 0
    const absolute = joinNumbers(String(x), String(y))
    const relative = joinNumbers(String(x - startX), String(y - startY))
    text += relative.length < absolute.length ? `m${relative}` : `M${absolute}`
    startX = x
    startY = y
    for (let at = 2; at < length; at += 4) {
      const toX = corners[at] ?? 0
      const toY = corners[at + 3] ?? 0
      text += across[toX - x + modulesMax] ?? ''
      // Closing draws the last vertical side.
      if (at + 2 < length) text += down[toY - y + modulesMax] ?? ''
      x = toX
      y = toY
    }
    text += 'z'
  })
  return text
}

/** Modules along one side of version 40. */
const modulesMax = 177

/** `h` and `v` with lengths from -177 to 177. Formatting each again takes longer than tracing. */
const sideTexts = { across: textsOf('h'), down: textsOf('v') }

function textsOf(letter: string): string[] {
  return Array.from({ length: 2 * modulesMax + 1 }, (_, at) => letter + (at - modulesMax))
}

/** A pen that remembers its place, in whole units, and the last text written. */
class PathData {
  text = ''
  private letter = ''
  private last = ''
  private startX = 0
  private startY = 0
  private penX = 0
  private penY = 0
  /** The last curve's second handle mirrored at its end: the implied first handle of `s`. */
  private mirrorX = 0
  private mirrorY = 0

  move(x: number, y: number) {
    const toX = round(x)
    const toY = round(y)
    const absolute = joinNumbers(writeNumber(toX), writeNumber(toY))
    const relative = joinNumbers(writeNumber(toX - this.penX), writeNumber(toY - this.penY))
    this.text += relative.length < absolute.length ? `m${relative}` : `M${absolute}`
    this.letter = 'm'
    this.startX = this.penX = toX
    this.startY = this.penY = toY
  }

  line(x: number, y: number) {
    const across = round(x) - this.penX
    const down = round(y) - this.penY
    if (across === 0 && down === 0) return
    if (down === 0) this.begin('h', writeNumber(across))
    else if (across === 0) this.begin('v', writeNumber(down))
    else {
      this.begin('l', writeNumber(across))
      this.append(writeNumber(down))
    }
    this.penX += across
    this.penY += down
  }

  quadratic(x1: number, y1: number, x: number, y: number) {
    this.begin('q', writeNumber(round(x1) - this.penX))
    this.append(writeNumber(round(y1) - this.penY))
    this.endAt(round(x), round(y))
  }

  cubic(x1: number, y1: number, x2: number, y2: number, x: number, y: number) {
    const toX = round(x)
    const toY = round(y)
    const handleX = round(x2)
    const handleY = round(y2)
    const across1 = round(x1) - this.penX
    const down1 = round(y1) - this.penY
    const follows = this.letter === 'c' || this.letter === 's'
    if (follows && across1 === this.mirrorX && down1 === this.mirrorY) {
      this.begin('s', writeNumber(handleX - this.penX))
    } else {
      this.begin('c', writeNumber(across1))
      this.append(writeNumber(down1))
      this.append(writeNumber(handleX - this.penX))
    }
    this.append(writeNumber(handleY - this.penY))
    this.mirrorX = toX - handleX
    this.mirrorY = toY - handleY
    this.endAt(toX, toY)
  }

  close() {
    this.text += 'z'
    this.letter = 'z'
    this.penX = this.startX
    this.penY = this.startY
  }

  private endAt(toX: number, toY: number) {
    this.append(writeNumber(toX - this.penX))
    this.append(writeNumber(toY - this.penY))
    this.penX = toX
    this.penY = toY
  }

  /** Leaves out a repeated letter, unless the number then needs a space in its place. */
  private begin(letter: string, number: string) {
    this.text += letter === this.letter && canFollow(this.last, number) ? number : letter + number
    this.letter = letter
    this.last = number
  }

  private append(number: string) {
    this.text += canFollow(this.last, number) ? number : ` ${number}`
    this.last = number
  }
}

const round = (modules: number) => Math.round(modules * unitsPerModule)

const joinNumbers = (first: string, second: string) =>
  canFollow(first, second) ? first + second : `${first} ${second}`

/**
 * Whether a number needs no space after another: before a minus, or before a point if the other
 * number has a point too.
 */
function canFollow(last: string, number: string): boolean {
  return number.startsWith('-') || (number.startsWith('.') && last.includes('.'))
}

/** Results of `writeNumber`: a picture repeats the same few distances. */
const written = new Map<number, string>()
const writtenMax = 20_000

/** Writes units as a number of modules, without a zero before the point. */
function writeNumber(units: number): string {
  const known = written.get(units)
  if (known !== undefined) return known
  const text = String(units / unitsPerModule).replace(/^(-?)0\./, '$1.')
  if (written.size < writtenMax) written.set(units, text)
  return text
}
