import type { Edit } from './operators.ts'

const CLASS = /(?<!\\)\[(\^?)((?:\\.|[^\]\\])+)\]/g

// A character that no range begins or ends with.
const withoutEach = (members: string): string[] => {
  const all = [...members.matchAll(/\\(?:u\{[0-9a-f]+\}|u[0-9a-f]{4}|x[0-9a-f]{2}|[pP]\{[^}]+\}|.)|[^\\]/gi)]
  return all.flatMap(({ 0: text, index }, at) => {
    const isRange = text === '-' || all[at - 1]?.[0] === '-' || all[at + 1]?.[0] === '-'
    return isRange || all.length === 1 ? [] : [members.slice(0, index) + members.slice(index + text.length)]
  })
}

/** The regular expressions that lack one anchor, the flag `g`, or one character of a class. */
export const mutateRegex = (literal: string): string[] => {
  const end = literal.lastIndexOf('/')
  const [body, flags] = [literal.slice(1, end), literal.slice(end + 1)]
  const bodies = [
    ...(body.startsWith('^') ? [body.slice(1)] : []),
    ...(/(?<!\\)\$$/.test(body) ? [body.slice(0, -1)] : []),
    ...[...body.matchAll(CLASS)].flatMap(({ 0: whole, 1: not = '', 2: members = '', index }) =>
      withoutEach(members).map(rest => `${body.slice(0, index)}[${not}${rest}]${body.slice(index + whole.length)}`),
    ),
  ]
  return [
    ...bodies.map(other => `/${other}/${flags}`),
    ...(flags.includes('g') ? [`/${body}/${flags.replace('g', '')}`] : []),
  ]
}

// Text between braces is code; the operators on SQL treat it as one word.
const withoutHoles = (template: string): string => {
  let depth = 0
  return [...template]
    .map((character, at) => {
      if (character === '{' && (depth > 0 || template[at - 1] === '$')) depth++
      const isHole = depth > 0
      if (character === '}' && depth > 0) depth--
      return isHole && character !== '\n' ? '_' : character
    })
    .join('')
}

const CONDITION_END =
  /\b(?:and|or|order|group|having|limit|returning|for|union|on|set|where|when|then|else|end|from|values|join|left|cross|as|do|window|offset)\b/y

// The end of a condition: the next word of its clause, or the parenthesis around it.
const conditionEnd = (text: string, from: number): number => {
  let depth = 0
  let isBetween = false
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '(') depth++
    else if (character === ')' && depth-- === 0) return at
    else if (character === ',' && depth === 0) return at
    if (depth > 0 || /\w/.test(text[at - 1] ?? ' ')) continue
    CONDITION_END.lastIndex = at
    const word = CONDITION_END.exec(text)?.[0]
    if (/^between\b/.test(text.slice(at, at + 8))) isBetween = true
    else if (word === 'and' && isBetween) isBetween = false
    else if (word !== undefined && !/^distinct from\b/.test(text.slice(Math.max(0, at - 9), at + 5))) return at
  }
  return text.length
}

// That a range began whose second bound is still to come.
const IN_RANGE = /\bbetween\s(?:(?!\band\b)[\s\S])*$/

const trimmedEnd = (text: string, from: number): number => {
  const end = conditionEnd(text, from)
  return from + text.slice(from, end).trimEnd().length
}

const conditions = (text: string): Edit[] =>
  [...text.matchAll(/\b(where|and|or)\b\s+/g)].flatMap(({ 0: whole, 1: word = '', index }) => {
    const start = index + whole.length
    const end = trimmedEnd(text, start)
    if (end === start || IN_RANGE.test(text.slice(0, index))) return []
    // Row-level security answers the same without it.
    if (/^(?:\w+\.)?school_id = [^()]*$/.test(text.slice(start, end))) return []
    const dropped: Edit = { start, end, text: word === 'or' ? 'false' : 'true', name: 'drop SQL condition' }
    if (word === 'where') return [dropped]
    const other = { start: index, end: index + word.length, text: word === 'and' ? 'or' : 'and', name: 'SQL and/or' }
    return [dropped, other]
  })

const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  'is null': 'is not null',
  'is not null': 'is null',
  'not exists': 'exists',
}

const comparisons = (text: string): Edit[] =>
  [...text.matchAll(/(?<= )(?:<=?|>=?)(?= )|\bis null\b|\bis not null\b|\bnot exists\b/g)].map(
    ({ 0: found, index }) => ({
      start: index,
      end: index + found.length,
      text: COMPARISONS[found] ?? found,
      name: 'SQL comparison',
    }),
  )

const numbered = (text: string): string => text.replace(/\d+/, digits => String(Number(digits) * 10))

const literals = (text: string): Edit[] =>
  [...text.matchAll(/'([^'`\n]*)'/g)].map(({ 0: found, 1: value = '', index }) => ({
    start: index,
    end: index + found.length,
    text: /^\d+ [a-z]/.test(value) ? `'${numbered(value)}'` : value === '' ? "'mutated'" : "''",
    name: 'SQL string',
  }))

const numbers = (text: string): Edit[] =>
  [...text.matchAll(/(?<=(?:[ (]))\d+(?=[\s),`])/g)]
    .filter(({ index }) => (text.slice(0, index).match(/'/g)?.length ?? 0) % 2 === 0)
    .map(({ 0: found, index }) => ({
      start: index,
      end: index + found.length,
      text: String(Number(found) + 1),
      name: 'SQL number',
    }))

/** Every edit of a template of SQL, its backticks included; offsets count from its first backtick. */
export const mutateSql = (template: string): Edit[] => {
  const text = ` ${withoutHoles(template).slice(1, -1)} `
  return [conditions, comparisons, literals, numbers].flatMap(operator => operator(text))
}
