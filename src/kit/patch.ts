import Type, { type Static, type TObject, type TOptional, type TSchema } from 'typebox'

type AllOptional<Shape extends TObject> =
  Shape extends TObject<infer Properties>
    ? TObject<{ [Name in keyof Properties]: Properties[Name] extends TSchema ? TOptional<Properties[Name]> : never }>
    : never

// A schema has properties that are not enumerable, which a spread would lose.
const withoutDefault = (schema: TSchema): TSchema => {
  const { default: _, ...properties } = Object.getOwnPropertyDescriptors(schema as TSchema & { default?: unknown })
  return Object.defineProperties({}, properties) as TSchema
}

/**
 * The merge patch (RFC 7396) of a shape: every field optional, null only where the shape allows it. A field that is left
 * out stays, so no field has a default.
 */
export const MergePatch = <Shape extends TObject>(shape: Shape, title: string): AllOptional<Shape> => {
  const fields = Object.entries(shape.properties).map(([name, schema]) => [name, withoutDefault(schema)])
  return Type.Partial(Type.Object(Object.fromEntries(fields)), {
    additionalProperties: false,
    title,
  }) as unknown as AllOptional<Shape>
}

/** The fields of a patch that differ from what is stored. */
export const changedFields = <Stored extends object>(
  stored: Stored,
  patch: Partial<Stored>,
): (keyof Stored & string)[] =>
  (Object.keys(patch) as (keyof Stored & string)[]).filter(
    name => patch[name] !== undefined && JSON.stringify(patch[name]) !== JSON.stringify(stored[name]),
  )

/** The values of a row after a patch: what the patch leaves out stays. */
export const merged = <Stored extends object>(stored: Stored, patch: Partial<Stored>): Stored => ({
  ...stored,
  ...(Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined)) as Partial<Stored>),
})

/** The default of every field of a shape, as its schema declares it; null without one. */
export const buildDefaults = <Shape extends TObject>(shape: Shape): Static<Shape> =>
  Object.fromEntries(
    Object.entries(shape.properties).map(([name, schema]) => [name, 'default' in schema ? schema.default : null]),
  ) as Static<Shape>

/** Some fields of a row. */
export const picked = <Row extends object, Field extends keyof Row>(row: Row, fields: readonly Field[]) =>
  Object.fromEntries(fields.map(field => [field, row[field]])) as Pick<Row, Field>
