import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { test } from 'node:test'

const ROOT = new URL('../', import.meta.url)
const DECLARED = /RateLimit = \{ name: '([a-z:-]+)', uses: ([\d_]+)/g

type Declared = { readonly name: string; readonly uses: number }

const declaredLimits = async (): Promise<Declared[]> => {
  const found: Declared[] = []
  for await (const path of glob('src/**/*.ts', { cwd: ROOT.pathname })) {
    if (path.endsWith('.test.ts')) continue
    const source = await readFile(new URL(path, ROOT), 'utf8')
    for (const [, name = '', uses = ''] of source.matchAll(DECLARED))
      found.push({ name, uses: Number(uses.replaceAll('_', '')) })
  }
  return found
}

test('docs/operations.md lists every limit with its number of uses, and no other', async () => {
  const text = await readFile(new URL('docs/operations.md', ROOT), 'utf8')
  const rows = [...text.matchAll(/^\| `([a-z-]+:[a-z-]+)` \| [^|]+ \| (?:the same: )?([\d,]+)/gm)]
  const listed = rows.map(([, name = '', uses = '']) => ({ name, uses: Number(uses.replaceAll(',', '')) }))
  const declared = await declaredLimits()
  assert.ok(declared.length > 20)
  const byName = (a: Declared, b: Declared) => a.name.localeCompare(b.name)
  assert.deepEqual(listed.sort(byName), declared.sort(byName))
})

test('docs/operations.md lists every setting', async () => {
  const [text, source] = await Promise.all(
    ['docs/operations.md', 'src/config.ts'].map(path => readFile(new URL(path, ROOT), 'utf8')),
  )
  const settings = new Set([...(source ?? '').matchAll(/'(STOA_[A-Z_]*[A-Z])'/g)].map(([, name = '']) => name))
  assert.ok(settings.size > 15)
  const listed = (text ?? '')
    .split('\n')
    .filter(line => line.startsWith('| `STOA_'))
    .join('\n')
  for (const name of settings) assert.ok(listed.includes(`\`${name}\``), name)
})
