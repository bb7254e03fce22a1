// Draws the golden pictures side by side for visual review: `node scripts/picture-sheet.ts
// sheet.png`.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

const [target] = process.argv.slice(2)
if (target === undefined) throw new RangeError('usage: node scripts/picture-sheet.ts FILE.png')

const folder = join(import.meta.dirname, '..', 'qr', 'testdata', 'styled')
const cell = { width: 240, height: 280, columns: 10 } as const
const files = globSync('*.svg', { cwd: folder }).sort()

const pictures = await Promise.all(
  files.map(async (file, at) => ({
    input: await sharp(readFileSync(join(folder, file)))
      .resize(cell.width - 20)
      .png()
      .toBuffer(),
    left: (at % cell.columns) * cell.width + 10,
    top: Math.trunc(at / cell.columns) * cell.height + 10,
  })),
)

await sharp({
  create: {
    width: cell.columns * cell.width,
    height: Math.ceil(files.length / cell.columns) * cell.height,
    channels: 3,
    background: '#D4D4D8',
  },
})
  .composite(pictures)
  .png()
  .toFile(target)
