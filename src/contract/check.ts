import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { didYouMean, quotedName } from '#src/kit/nearest.ts'
import { textFormats } from '#src/kit/shapes.ts'
import type { FieldError } from './problem.ts'

type Check = { Check(value: unknown): boolean; Errors(value: unknown): Iterable<unknown> }
type SchemaError = {
  keyword: string
  schemaPath: string
  instancePath: string
  message: string
  params: Record<string, unknown>
}

const compiled = new WeakMap<TSchema, Check>()

/** The compiled check of a schema, made when it is first needed. */
export const checkOf = (schema: TSchema): Check => {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const made = Compile(schema)
  compiled.set(schema, made)
  return made
}

// Of a text that people read, an answer keeps neither length nor rule: what was stored before a rule is shown as it is.
const shownMembers = ([name, value]: [string, unknown], _index: number, all: [string, unknown][]): boolean => {
  const members = Object.fromEntries(all)
  if (members.type !== 'string') return true
  if (name === 'minLength' || name === 'maxLength') return false
  return !(
    (name === 'format' || name === 'pattern') &&
    textFormats.has(String(members.format)) &&
    typeof value === 'string'
  )
}

const withoutRules = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutRules)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(shownMembers)
  return Object.fromEntries(members.map(([name, item]) => [name, withoutRules(item)]))
}

const shown = new WeakMap<TSchema, TSchema>()

/** The schema that an answer is checked by: as declared, but without the rules for texts that people write. */
export const shownSchema = (schema: TSchema): TSchema => {
  const known = shown.get(schema)
  if (known !== undefined) return known
  const made = withoutRules(schema) as TSchema
  shown.set(schema, made)
  return made
}

/** The RFC 6901 pointer of a member of what a pointer points to. */
export const memberPointer = (path: string, name: string): string =>
  `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

const rules: Readonly<Record<string, string>> = {
  line: 'is not one line in which something can be seen, without control characters and bidirectional controls',
  words: 'has nothing that can be seen',
}

const fieldsAt = (schema: TSchema, schemaPath: string): string[] => {
  const steps = schemaPath.split('/').slice(1)
  const at = steps.reduce<unknown>(
    (value, step) => (value as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    schema,
  )
  return Object.keys((at as { properties?: object } | undefined)?.properties ?? {})
}

const MOST_VALUES = 100

/** The values of an enumeration as a message lists them. */
export const listed = (values: readonly unknown[]): string => {
  const shown = values.slice(0, MOST_VALUES).map(String).join(', ')
  return values.length > MOST_VALUES ? `${shown}, and ${values.length - MOST_VALUES} more` : shown
}

const faultsOf = (schema: TSchema, error: SchemaError): FieldError[] => {
  const { keyword, instancePath, message, params } = error
  if (keyword === 'required') {
    const names = (params.requiredProperties ?? []) as string[]
    return names.map(name => ({ pointer: memberPointer(instancePath, name), code: 'required', message: 'is missing' }))
  }
  if (keyword === 'additionalProperties') {
    const names = (params.additionalProperties ?? []) as string[]
    const known = fieldsAt(schema, error.schemaPath)
    return names.map(name => ({
      pointer: memberPointer(instancePath, name),
      code: 'unknown',
      message: `${quotedName(name)} is not a field of this operation.${didYouMean(name, known)}`,
    }))
  }
  if (keyword === 'format' && textFormats.has(String(params.format)))
    return [{ pointer: instancePath, code: String(params.format), message: rules[String(params.format)] ?? message }]
  if (keyword === 'enum') {
    const values = (params.allowedValues ?? []) as unknown[]
    return [{ pointer: instancePath, code: keyword, message: `must be one of: ${listed(values)}` }]
  }
  return keyword === 'boolean' ? [] : [{ pointer: instancePath, code: keyword, message }]
}

/** Every fault of a value against a schema, at most 20. */
export const faults = (schema: TSchema, value: unknown): FieldError[] =>
  [...checkOf(schema).Errors(value)].flatMap(error => faultsOf(schema, error as SchemaError)).slice(0, 20)
