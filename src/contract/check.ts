import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Fault } from './problem.ts'

type Check = { Check(value: unknown): boolean; Errors(value: unknown): Iterable<unknown> }
type SchemaError = { keyword: string; instancePath: string; message: string; params: Record<string, unknown> }

const compiled = new WeakMap<TSchema, Check>()

/** The compiled check of a schema, made when it is first needed. */
export const checkOf = (schema: TSchema): Check => {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const made = Compile(schema)
  compiled.set(schema, made)
  return made
}

/** The RFC 6901 pointer of a member of what a pointer points to. */
export const memberPointer = (path: string, name: string): string =>
  `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

const faultsOf = (error: SchemaError): Fault[] => {
  const { keyword, instancePath, message, params } = error
  if (keyword === 'required') {
    const names = (params.requiredProperties ?? []) as string[]
    return names.map(name => ({ pointer: memberPointer(instancePath, name), code: 'required', message: 'is missing' }))
  }
  if (keyword === 'additionalProperties') {
    const names = (params.additionalProperties ?? []) as string[]
    return names.map(name => ({
      pointer: memberPointer(instancePath, name),
      code: 'unknown',
      message: 'is not a member this operation knows',
    }))
  }
  return keyword === 'boolean' ? [] : [{ pointer: instancePath, code: keyword, message }]
}

/** Every fault of a value against a schema, at most 20. */
export const faults = (schema: TSchema, value: unknown): Fault[] =>
  [...checkOf(schema).Errors(value)].flatMap(error => faultsOf(error as SchemaError)).slice(0, 20)
