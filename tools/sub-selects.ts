import { lineAt, type Token } from './source.ts'
import type { Source } from './statements.ts'
import type { Violation } from './violations.ts'

// The worker takes the earliest due job of any school.
const ofAllSchools = ['src/db/jobs.ts']

// Replaces a value or a fragment in a template, repeated to the same length.
const VALUE = '\u0001'

const OF_SCHOOL = /\bcreate (?:unlogged )?table (?:public\.)?([a-z_]+) \(\s*school_id\b/g
const READ = /\b(?:from|join|,)\s+(?:only\s+)?([a-z_]+)\b(?!\s*\()/g
const BY_VALUE = new RegExp(String.raw`\bschool_id(?:\s*=\s*|[^()]*\)\s*(?:=|in)\s*\(+\s*(?:select\s+)?)${VALUE}`)
// Conditions in a fragment name the school there.
const BY_FRAGMENT = new RegExp(String.raw`\bwhere\s+${VALUE}`)

/** The tables whose rows belong to schools. */
export const tablesOfSchools = (migrations: readonly string[]): ReadonlySet<string> =>
  new Set(migrations.flatMap(text => [...text.matchAll(OF_SCHOOL)].map(([, name = '']) => name)))

/** Each template as one text with the same offsets: values are replaced, and nested templates are texts of their own. */
const listTemplates = (all: readonly Token[]): { text: string; at: number }[] => {
  const open: { text: string; at: number }[] = []
  const closed: { text: string; at: number }[] = []
  const fill = (until: number): void => {
    for (const template of open) template.text = template.text.padEnd(until - template.at, VALUE)
  }
  for (const { kind, text, at } of all) {
    if (kind !== 'template') continue
    fill(at)
    if (text.startsWith('`')) open.push({ text: '', at })
    const current = open.at(-1)
    if (current === undefined) continue
    current.text += text.replace(/\$\{$/, VALUE.repeat(2)).replace(/^\}/, VALUE)
    if (text.length > 1 && text.endsWith('`')) closed.push(...open.splice(-1))
  }
  return closed
}

/** The parts in parentheses that begin with `select`, each without those inside it. */
const listSubSelects = (text: string): { text: string; at: number; length: number }[] => {
  const open: { at: number; isSelect: boolean; text: string }[] = []
  const found: { text: string; at: number; length: number }[] = []
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '(') open.push({ at, isSelect: /^\(\s*select\b/.test(text.slice(at, at + 40)), text: '' })
    const inner = open.findLast(({ isSelect }) => isSelect)
    if (inner !== undefined) inner.text += sign
    if (sign !== ')') continue
    const closed = open.pop()
    if (closed?.isSelect) found.push({ at: closed.at, length: at + 1 - closed.at, text: closed.text })
  }
  return found
}

const withoutSubSelects = (text: string): string =>
  listSubSelects(text).reduce(
    (rest, { at, length }) => rest.slice(0, at) + ' '.repeat(length) + rest.slice(at + length),
    text,
  )

// A template that is itself a select may be inside another one.
const outermost = (text: string): { text: string; at: number }[] => {
  const own = withoutSubSelects(text)
  return /^`\s*select\b/.test(own) && /\bwhere\b/.test(own) ? [{ text: own, at: 0 }] : []
}

const namesSchool = (select: string): boolean => BY_VALUE.test(select) || BY_FRAGMENT.test(select)

const message = 'a sub-select names its school by value, not only by correlation'

/** Sub-selects on a table of schools that name the school only by correlation, or not at all. */
export const subSelectsWithoutSchool =
  (tables: ReadonlySet<string>) =>
  ({ path, text, all }: Source): Violation[] => {
    if (ofAllSchools.includes(path) || /\.test\.ts$/.test(path)) return []
    const reads = (select: string): boolean => [...select.matchAll(READ)].some(([, name = '']) => tables.has(name))
    const isWrong = (select: string): boolean => reads(select) && !namesSchool(select)
    return listTemplates(all).flatMap(template =>
      [...listSubSelects(template.text), ...outermost(template.text)]
        .filter(select => select.text.split(/\bunion(?: all)?\b/).some(isWrong))
        .map(({ at }) => ({ file: path, line: lineAt(text, template.at + at), message })),
    )
  }
