import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { didYouMean, quotedName } from '#src/kit/nearest.ts'
import { cleaners, textFormats } from '#src/kit/shapes.ts'
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

/** The compiled check of a schema, compiled on first use. */
export const compileCheck = (schema: TSchema): Check => {
  const existing = compiled.get(schema)
  if (existing !== undefined) return existing
  const check = Compile(schema)
  compiled.set(schema, check)
  return check
}

// Texts in an answer are not checked for length or format: what was stored before a rule existed is returned unchanged.
const appliesToAnswers = ([keyword, value]: [string, unknown], _index: number, all: [string, unknown][]): boolean => {
  const { type, format } = Object.fromEntries(all)
  if (type !== 'string') return true
  if (keyword === 'minLength' || keyword === 'maxLength') return false
  const isTextRule = keyword === 'format' || keyword === 'pattern'
  return !(isTextRule && textFormats.has(String(format)) && typeof value === 'string')
}

const withoutTextRules = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutTextRules)
  if (typeof value !== 'object' || value === null) return value
  const keywords = Object.entries(value).filter(appliesToAnswers)
  return Object.fromEntries(keywords.map(([name, item]) => [name, withoutTextRules(item)]))
}

const answerSchemas = new WeakMap<TSchema, TSchema>()

/** The schema that an answer is checked by: as declared, but without the rules for texts that people write. */
export const answerSchema = (schema: TSchema): TSchema => {
  const existing = answerSchemas.get(schema)
  if (existing !== undefined) return existing
  const relaxed = withoutTextRules(schema) as TSchema
  answerSchemas.set(schema, relaxed)
  return relaxed
}

/** The RFC 6901 pointer to a member of the value that another pointer points to. */
export const memberPointer = (path: string, name: string): string =>
  `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

const formatMessages: Readonly<Record<string, string>> = {
  line: 'must be one line with at least one visible character, without control characters and bidirectional controls',
  words: 'must have at least one visible character',
}

const fieldsAt = (schema: TSchema, schemaPath: string): string[] => {
  const steps = schemaPath.split('/').slice(1)
  const found = steps.reduce<unknown>(
    (value, step) => (value as Record<string, unknown> | undefined)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    schema,
  )
  return Object.keys((found as { properties?: object } | undefined)?.properties ?? {})
}

const MAX_VALUES = 100

/** The values of an enumeration as a message lists them. */
export const listValues = (values: readonly unknown[]): string => {
  const list = values.slice(0, MAX_VALUES).map(String).join(', ')
  return values.length > MAX_VALUES ? `${list}, and ${values.length - MAX_VALUES} more` : list
}

const toFieldErrors = (schema: TSchema, error: SchemaError): FieldError[] => {
  const { keyword, instancePath, message, params } = error
  if (keyword === 'required') {
    const names = (params.requiredProperties ?? []) as string[]
    return names.map(name => ({ pointer: memberPointer(instancePath, name), code: 'required', message: 'is missing' }))
  }
  if (keyword === 'additionalProperties') {
    const names = (params.additionalProperties ?? []) as string[]
    const declared = fieldsAt(schema, error.schemaPath)
    return names.map(name => ({
      pointer: memberPointer(instancePath, name),
      code: 'unknown',
      message: `${quotedName(name)} is not a field of this operation.${didYouMean(name, declared)}`,
    }))
  }
  if (keyword === 'format' && textFormats.has(String(params.format))) {
    const format = String(params.format)
    return [{ pointer: instancePath, code: format, message: formatMessages[format] ?? message }]
  }
  if (keyword === 'enum') {
    const values = (params.allowedValues ?? []) as unknown[]
    return [{ pointer: instancePath, code: keyword, message: `must be one of: ${listValues(values)}` }]
  }
  return keyword === 'boolean' ? [] : [{ pointer: instancePath, code: keyword, message }]
}

type Variant = TSchema & {
  readonly type?: string
  readonly properties?: { readonly type?: { readonly enum?: readonly unknown[] } }
}

const findTypes = ({ properties }: Variant): readonly unknown[] | undefined => properties?.type?.enum

// The variants of a schema beside null; undefined for a schema without variants.
const listVariants = (schema: TSchema): readonly Variant[] | undefined => {
  const { anyOf } = schema as TSchema & { readonly anyOf?: readonly Variant[] }
  return anyOf?.filter(({ type }) => type !== 'null')
}

const within = (at: string, errors: readonly FieldError[]): FieldError[] =>
  errors.map(error => ({ ...error, pointer: `${at}${error.pointer}` }))

// Of several forms the one that has the type of the value, such as the words where the value is a text.
const formErrors = (variants: readonly Variant[], value: unknown, at: string): FieldError[] => {
  const forms = variants.filter(variant => fieldErrors(variant, value).every(({ code }) => code !== 'type'))
  const form = forms.find(variant => 'enum' in variant) ?? (forms.length === 1 ? forms[0] : undefined)
  return form === undefined
    ? [{ pointer: at, code: 'anyOf', message: 'has none of the forms that this field can have' }]
    : within(at, fieldErrors(form, value))
}

// Errors of every variant would say nothing, so they are those of the only one, or of the one that `type` names.
const variantErrors = (variants: readonly Variant[], value: unknown, at: string): FieldError[] => {
  const [only, ...others] = variants
  if (only !== undefined && others.length === 0) return within(at, fieldErrors(only, value))
  if (variants.some(variant => findTypes(variant) === undefined)) return formErrors(variants, value, at)
  const type = (value as { readonly type?: unknown } | null | undefined)?.type
  const variant = variants.find(one => findTypes(one)?.includes(type))
  if (variant !== undefined) return within(at, fieldErrors(variant, value))
  const types = variants.flatMap(one => findTypes(one) ?? [])
  return [{ pointer: memberPointer(at, 'type'), code: 'enum', message: `must be one of: ${listValues(types)}` }]
}

type Node = TSchema & {
  readonly anyOf?: readonly Node[]
  readonly format?: string
  readonly items?: Node
  readonly properties?: Readonly<Record<string, Node>>
}

const variantsFor = (schema: Node, value: unknown): readonly Node[] => {
  const { anyOf = [] } = schema
  const type = (value as { readonly type?: unknown } | null)?.type
  const named = listVariants(schema)?.find(one => findTypes(one)?.includes(type))
  return named === undefined ? [schema, ...anyOf] : [named]
}

/** A value as somebody typed it, with its lines, addresses and telephone numbers cleaned by the formats of its schema. */
export const cleanValue = (schema: TSchema | undefined, value: unknown): unknown => {
  if (schema === undefined) return value
  const variants = variantsFor(schema, value)
  if (typeof value === 'string') {
    const format = variants.find(one => cleaners[one.format ?? ''] !== undefined)?.format
    return cleaners[format ?? '']?.(value) ?? value
  }
  if (Array.isArray(value)) {
    const items = variants.find(one => one.items !== undefined)?.items
    return items === undefined ? value : value.map(item => cleanValue(items, item))
  }
  if (typeof value !== 'object' || value === null) return value
  const declared = variants.find(one => one.properties !== undefined)?.properties
  if (declared === undefined) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      cleanValue(Object.hasOwn(declared, name) ? declared[name] : undefined, item),
    ]),
  )
}

type Found = { readonly schema: TSchema; readonly variants: readonly Variant[] }

// The schemas of a value's members that have variants, by where their values are.
const unionsIn = (
  schema: TSchema,
  value: unknown,
  at = '',
): (Found & { readonly value: unknown; readonly at: string })[] => {
  const variants = listVariants(schema)
  if (variants !== undefined) return [{ schema, variants, value, at }]
  const { items, properties = {} } = schema as { items?: TSchema; properties?: Readonly<Record<string, TSchema>> }
  if (items !== undefined && Array.isArray(value))
    return value.flatMap((item, index) => unionsIn(items, item, `${at}/${index}`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(properties).flatMap(([name, member]) =>
    unionsIn(member, (value as Record<string, unknown>)[name], memberPointer(at, name)),
  )
}

/** The errors of the fields of a value that does not match a schema, at most 20. */
export const fieldErrors = (schema: TSchema, value: unknown): FieldError[] => {
  const unions = unionsIn(schema, value).filter(
    ({ schema: union, value: part }) => part !== undefined && !compileCheck(union).Check(part),
  )
  const isInside = ({ pointer }: FieldError): boolean =>
    unions.some(({ at }) => pointer === at || pointer.startsWith(`${at}/`))
  const plain = [...compileCheck(schema).Errors(value)].flatMap(error => toFieldErrors(schema, error as SchemaError))
  return [
    ...plain.filter(error => !isInside(error)),
    ...unions.flatMap(({ variants, value: part, at }) => variantErrors(variants, part, at)),
  ].slice(0, 20)
}
