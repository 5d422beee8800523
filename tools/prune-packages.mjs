// One thing: runs after `npm ci` and removes files of packages that nothing here reads, about 230 MB. Plain JavaScript, since the Node that
// runs npm may be an old one.
import { readdir, unlink } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

// Browsers get `.woff2` at two weights (src/kit/fonts.ts), PDFs have `.woff` of Noto at two weights (src/print/fonts.ts).
const WEB_FONT = /^@fontsource\/[^/]+\/files\/[^/]+-(?:400|600)-normal\.woff2$/
const PRINT_FONT = /^@fontsource\/noto-sans[^/]*\/files\/[^/]+-(?:400|700)-normal\.woff$/
const ONLY_PRINTED = /^@fontsource\/noto-sans-/

const isUnusedFont = path =>
  /^@fontsource\/.*\.woff2?$/.test(path) && !PRINT_FONT.test(path) && (!WEB_FONT.test(path) || ONLY_PRINTED.test(path))

// Headers are for building native modules against Node.
const isHeader = path => /^node-[a-z0-9-]+\/include\//.test(path)

const isUnused = path => path.endsWith('.map') || isHeader(path) || isUnusedFont(path)

const folder = process.argv[2] ?? fileURLToPath(new URL('../node_modules', import.meta.url))

const unusedBelow = async () => {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath ?? entry.path, entry.name))
    .filter(path => isUnused(relative(folder, path).split(sep).join('/')))
}

for (const path of await unusedBelow()) await unlink(path)
