import type { Statement } from '#src/contract/db.ts'

type Fragment = Statement<unknown>

const isFragment = (value: unknown): value is Fragment =>
  typeof value === 'object' && value !== null && 'text' in value && 'values' in value

type Composed = { readonly fragments: readonly (string | undefined)[]; readonly text: string }

// The texts that a template was composed to, with the texts of their fragments: a fragment such as `oneRow` is composed with
// several tables in each statement.
const composed = new WeakMap<TemplateStringsArray, Composed[]>()
const MOST_TEXTS = 32

/**
 * An SQL statement: every `${value}` becomes a parameter, and a nested `sql` becomes part of the text. For the same
 * nested parts the text is the same string, whose hash is computed once.
 */
export const sql = <Row = unknown>(strings: TemplateStringsArray, ...parts: unknown[]): Statement<Row> => {
  const values: unknown[] = []
  for (const part of parts) {
    if (isFragment(part)) values.push(...part.values)
    else values.push(part instanceof Date ? part.toISOString() : part)
  }
  const texts = composed.get(strings) ?? []
  const known = texts.find(one => isComposedFrom(one, parts))
  if (known !== undefined) return { text: known.text, values }
  const next = compose(strings, parts)
  composed.set(strings, [next, ...texts.slice(0, MOST_TEXTS - 1)])
  return { text: next.text, values }
}

const isComposedFrom = ({ fragments }: Composed, parts: readonly unknown[]): boolean =>
  parts.every((part, index) => (isFragment(part) ? part.text : undefined) === fragments[index])

const compose = (strings: TemplateStringsArray, parts: readonly unknown[]): Composed => {
  let text = strings[0] ?? ''
  let count = 0
  parts.forEach((part, index) => {
    text += isFragment(part) ? splice(part, count) : `$${count + 1}`
    text += strings[index + 1] ?? ''
    count += isFragment(part) ? part.values.length : 1
  })
  return { text, fragments: parts.map(part => (isFragment(part) ? part.text : undefined)) }
}

const splice = ({ text }: Fragment, shift: number): string =>
  text.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + shift}`)
