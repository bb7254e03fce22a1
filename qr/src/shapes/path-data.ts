import type { Matrix } from '../content/matrix.ts'
import { eachOutline } from './outlines.ts'
import { type Path, walkPath } from './paths.ts'

/** Coordinates are rounded to a thousandth of a module: at most a sixteenth of a pixel off in 4,096 px of a small code. */
const unitsPerModule = 1000

/**
 * SVG path data in the fewest characters: relative coordinates, each start in its shorter form, `h`, `v` and `s` where
 * they say the same, and letters left out where the one before goes on. Rounding doesn't add up: every point is
 * rounded by itself, and the difference of the rounded ones is written.
 */
export function writePathData(path: Path): string {
  const data = new PathData()
  walkPath(path, data)
  return data.text
}

/**
 * The same path data as of a matrix's outlines, sharp-cornered: sides are whole modules and level and upright in turn, so that
 * nothing is left to choose but how each outline starts.
 */
export function writeModules(matrix: Matrix): string {
  let text = ''
  let startX = 0
  let startY = 0
  const { across, down } = sideTexts
  eachOutline(matrix, (corners, length) => {
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
      // The last upright side is what closing draws.
      if (at + 2 < length) text += down[toY - y + modulesMax] ?? ''
      x = toX
      y = toY
    }
    text += 'z'
  })
  return text
}

/** Along one side of version 40. */
const modulesMax = 177

/** `h` and `v` with each length from -177 to 177: a number is written anew each time otherwise, which takes longer than tracing. */
const sideTexts = { across: textsOf('h'), down: textsOf('v') }

function textsOf(letter: string): string[] {
  return Array.from({ length: 2 * modulesMax + 1 }, (_, at) => letter + (at - modulesMax))
}

/** A pen that remembers where it is, in whole units, and what was written last. */
class PathData {
  text = ''
  private letter = ''
  private last = ''
  private startX = 0
  private startY = 0
  private penX = 0
  private penY = 0
  /** The last curve's second handle mirrored at its end: what `s` takes for the next first one. */
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
      this.goOn(writeNumber(down))
    }
    this.penX += across
    this.penY += down
  }

  quadratic(x1: number, y1: number, x: number, y: number) {
    this.begin('q', writeNumber(round(x1) - this.penX))
    this.goOn(writeNumber(round(y1) - this.penY))
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
      this.goOn(writeNumber(down1))
      this.goOn(writeNumber(handleX - this.penX))
    }
    this.goOn(writeNumber(handleY - this.penY))
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
    this.goOn(writeNumber(toX - this.penX))
    this.goOn(writeNumber(toY - this.penY))
    this.penX = toX
    this.penY = toY
  }

  /** A letter that repeats is left out, unless the number then needs a space in its place. */
  private begin(letter: string, number: string) {
    this.text += letter === this.letter && canFollow(this.last, number) ? number : letter + number
    this.letter = letter
    this.last = number
  }

  private goOn(number: string) {
    this.text += canFollow(this.last, number) ? number : ` ${number}`
    this.last = number
  }
}

const round = (modules: number) => Math.round(modules * unitsPerModule)

const joinNumbers = (first: string, second: string) =>
  canFollow(first, second) ? first + second : `${first} ${second}`

/** A number after another one needs no space before a minus, nor before a point when that one has a point too. */
function canFollow(last: string, number: string): boolean {
  return number.startsWith('-') || (number.startsWith('.') && last.includes('.'))
}

/** What `writeNumber` gave before: a picture has the same few distances over and over. */
const written = new Map<number, string>()
const writtenMax = 20_000

/** Units as a number of modules, without a zero before the point. */
function writeNumber(units: number): string {
  const known = written.get(units)
  if (known !== undefined) return known
  const text = String(units / unitsPerModule).replace(/^(-?)0\./, '$1.')
  if (written.size < writtenMax) written.set(units, text)
  return text
}
