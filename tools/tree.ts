import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Violation } from './violations.ts'

/** The files of a small tree: text by path. */
export type Tree = Record<string, string>

/** Writes a small tree to a temporary folder, and removes it when `use` has returned. */
export const withTree = <Result>(tree: Tree, use: (root: string) => Result): Result => {
  const root = mkdtempSync(join(tmpdir(), 'stoa-tree-'))
  try {
    for (const [file, text] of Object.entries(tree)) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), text)
    }
    return use(root)
  } finally {
    rmSync(root, { recursive: true })
  }
}

/** The violations that a checker finds in a small tree, each as the line that it prints. */
export const violationsIn = (check: (root: string) => Violation[], tree: Tree): string[] =>
  withTree(tree, root => check(root).map(({ file, line, message }) => `${file}:${line}: ${message}`))
