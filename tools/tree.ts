import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
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

/** A rule, trees that violate it with a message that they get, and trees without any violation. */
export type Case = { rule: string; bad: [Tree, RegExp][]; good: Tree[] }

/** Tests each rule of a checker with its trees. */
export const testCases = (check: (root: string) => Violation[], cases: readonly Case[]): void => {
  for (const { rule, bad, good } of cases) {
    test(rule, () => {
      for (const [tree, message] of bad) assert.match(violationsIn(check, tree).join('\n'), message)
      for (const tree of good) assert.deepEqual(violationsIn(check, tree), [])
    })
  }
}
