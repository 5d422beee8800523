import Type, { type Static, type TObject, type TOptional, type TSchema } from 'typebox'

type AllOptional<Shape extends TObject> =
  Shape extends TObject<infer Properties>
    ? TObject<{ [Name in keyof Properties]: Properties[Name] extends TSchema ? TOptional<Properties[Name]> : never }>
    : never

/** The merge patch (RFC 7396) of a shape: every field optional, null only where the shape allows it. */
export const MergePatch = <Shape extends TObject>(shape: Shape, title: string): AllOptional<Shape> =>
  Type.Partial(shape, { additionalProperties: false, title }) as unknown as AllOptional<Shape>

/** The fields of a patch that differ from what is stored. */
export const changedFields = <Stored extends object>(
  stored: Stored,
  patch: Partial<Stored>,
): (keyof Stored & string)[] =>
  (Object.keys(patch) as (keyof Stored & string)[]).filter(
    name => patch[name] !== undefined && JSON.stringify(patch[name]) !== JSON.stringify(stored[name]),
  )

/** What a shape describes, as a type. */
export type Shaped<Shape extends TSchema> = Static<Shape>
