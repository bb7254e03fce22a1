import { type Path, walkPath } from './paths.ts'

/** Coordinates are rounded to a thousandth of a module: a twelfth of a pixel in the largest picture of a small code. */
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

/** A pen that remembers where it is, in whole units, and what the last command was. */
class PathData {
  text = ''
  private letter = ''
  private lastNumber = ''
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
    const absolute = `M${writeNumbers([toX, toY])}`
    const relative = `m${writeNumbers([toX - this.penX, toY - this.penY])}`
    this.text += relative.length < absolute.length ? relative : absolute
    this.letter = 'm'
    this.startX = this.penX = toX
    this.startY = this.penY = toY
  }

  line(x: number, y: number) {
    const across = round(x) - this.penX
    const down = round(y) - this.penY
    if (across === 0 && down === 0) return
    if (down === 0) this.write('h', [across])
    else if (across === 0) this.write('v', [down])
    else this.write('l', [across, down])
    this.penX += across
    this.penY += down
  }

  quadratic(x1: number, y1: number, x: number, y: number) {
    this.write('q', this.relative([x1, y1, x, y]))
    this.penX = round(x)
    this.penY = round(y)
  }

  cubic(x1: number, y1: number, x2: number, y2: number, x: number, y: number) {
    const [across1 = 0, down1 = 0, across2 = 0, down2 = 0, across = 0, down = 0] = this.relative([
      x1,
      y1,
      x2,
      y2,
      x,
      y,
    ])
    const follows = this.letter === 'c' || this.letter === 's'
    if (follows && across1 === this.mirrorX && down1 === this.mirrorY) {
      this.write('s', [across2, down2, across, down])
    } else this.write('c', [across1, down1, across2, down2, across, down])
    this.mirrorX = across - across2
    this.mirrorY = down - down2
    this.penX += across
    this.penY += down
  }

  close() {
    this.text += 'z'
    this.letter = 'z'
    this.penX = this.startX
    this.penY = this.startY
  }

  private relative(values: readonly number[]): number[] {
    return values.map((value, at) => round(value) - (at % 2 === 0 ? this.penX : this.penY))
  }

  /** A letter that repeats is left out, unless the number then needs a space in its place. */
  private write(letter: string, values: readonly number[]) {
    const numbers = writeNumbers(values)
    const goesOn = letter === this.letter && canFollow(this.lastNumber, numbers)
    this.text += goesOn ? numbers : letter + numbers
    this.letter = letter
    this.lastNumber = writeNumber(values.at(-1) ?? 0)
  }
}

const round = (modules: number) => Math.round(modules * unitsPerModule)

function writeNumbers(values: readonly number[]): string {
  let text = ''
  let last = ''
  for (const value of values) {
    const number = writeNumber(value)
    text += text === '' || canFollow(last, number) ? number : ` ${number}`
    last = number
  }
  return text
}

/** A number after another one needs no space before a minus, nor before a point when that one has a point too. */
function canFollow(last: string, number: string): boolean {
  return number.startsWith('-') || (number.startsWith('.') && last.includes('.'))
}

/** Units as a number of modules, without a zero before the point. */
function writeNumber(units: number): string {
  const text = String(units / unitsPerModule)
  if (text.startsWith('0.')) return text.slice(1)
  return text.startsWith('-0.') ? `-${text.slice(2)}` : text
}
