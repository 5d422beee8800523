import type { TObject, TSchema } from 'typebox'
import { cleanValue, compileCheck, fieldErrors, listValues, memberPointer as member } from '#src/contract/check.ts'
import { type FieldError, Refusal } from '#src/contract/problem.ts'
import { invalidBody, invalidParameter, notFound, unknownParameter } from '#src/contract/problems.ts'
import type { Pairs } from '#src/kit/form.ts'
import { didYouMean, quotedName } from '#src/kit/nearest.ts'
import { isStorable, isText } from '#src/kit/text.ts'

// Normalises every string of a body to NFC, and refuses those with control characters or noncharacters, or that PostgreSQL
// cannot store.
const normalise = (value: unknown, path: string, errors: FieldError[]): unknown => {
  if (typeof value === 'string') {
    if (!isStorable(value)) errors.push({ pointer: path, code: 'text', message: 'has a NUL or a lone surrogate' })
    else if (!isText(value))
      errors.push({ pointer: path, code: 'text', message: 'has a control character or a noncharacter' })
    return value.normalize('NFC')
  }
  if (Array.isArray(value)) return value.map((item, index) => normalise(item, member(path, String(index)), errors))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, normalise(item, member(path, name), errors)]),
  )
}

/** The normalised body; refuses with all field errors when it does not match the schema. */
export const validBody = (schema: TSchema, value: unknown): unknown => {
  const errors: FieldError[] = []
  const body = cleanValue(schema, normalise(value, '', errors))
  const all = errors.length > 0 || compileCheck(schema).Check(body) ? errors : fieldErrors(schema, body)
  if (all.length > 0)
    throw new Refusal(invalidBody, `${all.length === 1 ? 'One field is' : `${all.length} fields are`} not valid.`, {
      errors: all,
    })
  return body
}

/** The path parameters; refuses with 404 when no resource can have such a name. */
export const validParams = (schema: TObject | undefined, values: Record<string, string>): Record<string, unknown> => {
  if (schema === undefined) return {}
  if (!Object.values(values).every(isStorable) || !compileCheck(schema).Check(values))
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
  const allowed = values === undefined ? '' : ` It must be one of: ${listValues(values)}.`
  return `The parameter ${name} has a value that is not allowed.${allowed}`
}

/** The query parameters by their schemas; refuses unknown ones, those that were sent twice and values that are not allowed. */
export const validQuery = (
  schema: TObject | undefined,
  pairs: Pairs,
  sharedSchemas: Readonly<Record<string, TSchema>> = {},
) => {
  if (pairs.length === 0 && (schema?.required ?? []).length === 0) return {}
  const declared: Readonly<Record<string, TSchema>> = { ...schema?.properties, ...sharedSchemas }
  const values = new Map<string, unknown>()
  for (const [name, text] of pairs) {
    const property = Object.hasOwn(declared, name) ? declared[name] : undefined
    if (property === undefined) throw new Refusal(unknownParameter, unknownName(name, Object.keys(declared)))
    if (values.has(name)) throw new Refusal(invalidParameter, `The parameter ${name} was sent twice.`)
    const value = cleanValue(property, coerce(property, text.normalize('NFC')))
    if (!isStorable(text) || !compileCheck(property).Check(value))
      throw new Refusal(invalidParameter, wrongValue(name, property))
    values.set(name, value)
  }
  for (const name of schema?.required ?? []) {
    if (!values.has(name)) throw new Refusal(invalidParameter, `The parameter ${name} is required.`)
  }
  return Object.fromEntries(values)
}
