import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Violation } from './violations.ts'

/** What a checker says about a small tree, written to a temporary folder for as long as it is judged. */
export const judge = (check: (root: string) => Violation[], tree: Record<string, string>): string[] => {
  const root = mkdtempSync(join(tmpdir(), 'stoa-tree-'))
  try {
    for (const [file, text] of Object.entries(tree)) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), text)
    }
    return check(root).map(({ file, line, says }) => `${file}:${line}: ${says}`)
  } finally {
    rmSync(root, { recursive: true })
  }
}
