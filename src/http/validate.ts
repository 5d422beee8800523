import type { TObject, TSchema } from 'typebox'
import { checkOf, faults, listed, memberPointer as member } from '#src/contract/check.ts'
import { type FieldError, Refusal } from '#src/contract/problem.ts'
import { invalidBody, invalidParameter, notFound, unknownParameter } from '#src/contract/problems.ts'
import type { Pairs } from '#src/kit/form.ts'
import { didYouMean, quotedName } from '#src/kit/nearest.ts'
import { isStorable, isText } from '#src/kit/text.ts'

// Every string of a body is put in NFC, and refused when PostgreSQL could not keep it or a control character is in it.
const clean = (value: unknown, path: string, found: FieldError[]): unknown => {
  if (typeof value === 'string') {
    if (!isStorable(value)) found.push({ pointer: path, code: 'text', message: 'has a NUL or a lone surrogate' })
    else if (!isText(value)) found.push({ pointer: path, code: 'text', message: 'has a control character' })
    return value.normalize('NFC')
  }
  if (Array.isArray(value)) return value.map((item, index) => clean(item, member(path, String(index)), found))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, clean(item, member(path, name), found)]))
}

/** The body as the handler gets it; refuses with every fault when it does not match. */
export const validBody = (schema: TSchema, value: unknown): unknown => {
  const found: FieldError[] = []
  const body = clean(value, '', found)
  const all = found.length > 0 || checkOf(schema).Check(body) ? found : faults(schema, body)
  if (all.length > 0)
    throw new Refusal(
      invalidBody,
      `${all.length === 1 ? 'One field is' : `${all.length} fields are`} not as declared.`,
      { errors: all },
    )
  return body
}

/** The path's parameters; a value that cannot name anything is a thing that does not exist. */
export const validParams = (schema: TObject | undefined, values: Record<string, string>): Record<string, unknown> => {
  if (schema === undefined) return {}
  if (!Object.values(values).every(isStorable) || !checkOf(schema).Check(values))
    throw new Refusal(notFound, 'There is nothing at this address.')
  return values
}

const coerce = (schema: TSchema & { type?: string; items?: TSchema }, text: string): unknown => {
  const { items } = schema
  if (schema.type === 'array' && items !== undefined) return text.split(',').map(item => coerce(items, item))
  if (schema.type === 'integer' && /^-?(?:0|[1-9]\d{0,15})$/.test(text)) return Number(text)
  if (schema.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

const unknownName = (name: string, names: readonly string[]): string =>
  `This operation has no parameter ${quotedName(name)}.${didYouMean(name, names)}`

const wrongValue = (name: string, schema: TSchema & { enum?: unknown[]; items?: { enum?: unknown[] } }): string => {
  const values = schema.enum ?? schema.items?.enum
  const allowed = values === undefined ? '' : ` It is one of: ${listed(values)}.`
  return `The parameter ${name} has a value that is not allowed.${allowed}`
}

/** The query's parameters by their schema; an unknown one, one sent twice or a wrong value is refused. */
export const validQuery = (schema: TObject | undefined, pairs: Pairs, also: Readonly<Record<string, TSchema>> = {}) => {
  const declared: Readonly<Record<string, TSchema>> = { ...schema?.properties, ...also }
  const values = new Map<string, unknown>()
  for (const [name, text] of pairs) {
    const property = Object.hasOwn(declared, name) ? declared[name] : undefined
    if (property === undefined) throw new Refusal(unknownParameter, unknownName(name, Object.keys(declared)))
    if (values.has(name)) throw new Refusal(invalidParameter, `The parameter ${name} was sent twice.`)
    const value = coerce(property, text.normalize('NFC'))
    if (!isStorable(text) || !checkOf(property).Check(value))
      throw new Refusal(invalidParameter, wrongValue(name, property))
    values.set(name, value)
  }
  for (const name of schema?.required ?? []) {
    if (!values.has(name)) throw new Refusal(invalidParameter, `The parameter ${name} is required.`)
  }
  return Object.fromEntries(values)
}
