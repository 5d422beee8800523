import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { lineAt } from './source.ts'

/** One violation of a rule: its file and line, and a sentence that says what is wrong. */
export type Violation = { file: string; line: number; message: string }

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
export const readText = (root: string, file: string): string => readFileSync(join(root, file), 'utf8')

/** The number of lines of a text. */
export const lineCount = (text: string): number => text.trimEnd().split('\n').length

/** A violation that concerns a whole file or folder. */
export const fileViolation = (file: string, message: string): Violation[] => [{ file, line: 1, message }]

/** One violation for every match of a pattern in a text. */
export const matchViolations = (
  pattern: RegExp,
  text: string,
  file: string,
  buildMessage: (match: RegExpExecArray) => string,
): Violation[] =>
  [...text.matchAll(pattern)].map(match => ({ file, line: lineAt(text, match.index), message: buildMessage(match) }))

/** Prints the violations, one per line, or else the summary; sets the exit code of the process. */
export const report = (summary: string, violations: Violation[]): void => {
  for (const { file, line, message } of violations) console.log(`${file}:${line}: ${message}`)
  if (violations.length > 0) process.exitCode = 1
  else console.log(summary)
}
