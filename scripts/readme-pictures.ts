// Creates the README's pictures from the screenshots of `npm test -- dashboard` and compresses
// them. Run it when the look of a page has changed.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

const root = join(import.meta.dirname, '..')
const target = join(root, 'docs', 'images')
const pictures = {
  codes: 'dashboard-codes-selected-desktop-light',
  editor: 'dashboard-editor-style-desktop-light',
  analytics: 'dashboard-analytics-desktop-light',
}

mkdirSync(target, { recursive: true })
for (const [name, screenshot] of Object.entries(pictures))
  await sharp(join(root, 'screenshots', `${screenshot}.png`))
    .png({ palette: true, effort: 10, compressionLevel: 9 })
    .toFile(join(target, `${name}.png`))
