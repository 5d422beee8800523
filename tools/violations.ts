import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { lineAt } from './source.ts'

/** One breach of a house rule: where it stands, and a sentence that says what is wrong. */
export type Violation = { file: string; line: number; says: string }

/** Every file under one folder of the tree, as sorted paths from the root with forward slashes. */
export const filesUnder = (root: string, folder: string): string[] => {
  const start = join(root, folder)
  if (!existsSync(start)) return []
  return readdirSync(start, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}

/** The text of one file of the tree. */
export const textOf = (root: string, file: string): string => readFileSync(join(root, file), 'utf8')

/** A breach that concerns a whole file or folder. */
export const whole = (file: string, says: string): Violation[] => [{ file, line: 1, says }]

/** One breach for every place in a text where a pattern is found. */
export const each = (
  pattern: RegExp,
  text: string,
  file: string,
  says: (hit: RegExpExecArray) => string,
): Violation[] => [...text.matchAll(pattern)].map(hit => ({ file, line: lineAt(text, hit.index), says: says(hit) }))

/** Prints what a checker found, one breach per line, and sets the exit code of the process. */
export const report = (checked: string, violations: Violation[]): void => {
  for (const { file, line, says } of violations) console.log(`${file}:${line}: ${says}`)
  if (violations.length > 0) process.exitCode = 1
  else console.log(checked)
}
