import type { Statement } from '#src/contract/db.ts'

type Fragment = Statement<unknown>

const isFragment = (value: unknown): value is Fragment =>
  typeof value === 'object' && value !== null && 'text' in value && 'values' in value

/** An SQL statement: every `${value}` becomes a parameter, and a nested `sql` becomes part of the text. */
export const sql = <Row = unknown>(strings: TemplateStringsArray, ...parts: unknown[]): Statement<Row> => {
  const values: unknown[] = []
  let text = strings[0] ?? ''
  parts.forEach((part, index) => {
    text += isFragment(part)
      ? splice(part, values)
      : `$${values.push(part instanceof Date ? part.toISOString() : part)}`
    text += strings[index + 1] ?? ''
  })
  return { text, values }
}

const splice = (part: Fragment, values: unknown[]): string => {
  const shift = values.length
  values.push(...part.values)
  return part.text.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) + shift}`)
}
