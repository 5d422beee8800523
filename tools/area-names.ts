/** The names of an area or a resource in all the places where it has one. */
export type Names = {
  readonly area: string
  /** Whether it is the area itself, and not one of its resources. */
  readonly isArea: boolean
  /** The folder, relative to the root of the tree. */
  readonly folder: string
  /** The plural, as tables and files use it: `membership_plans`. */
  readonly things: string
  /** One of them: `membership_plan`. */
  readonly thing: string
  readonly prefix: string
  /** Below `/api/v1`. */
  readonly path: string
  /** The operations need `members:read` and `members:write` where this is `members`. */
  readonly scope: string
}

/** A name as prose. */
export const words = (name: string): string => name.replaceAll(/[_-]/g, ' ')

/** A name in PascalCase. */
export const pascal = (name: string): string =>
  name.replace(/(?:^|[_-])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** A name in camelCase. */
export const camel = (name: string): string => pascal(name).replace(/^./, letter => letter.toLowerCase())

/** The name under which the operations are exported. */
export const operationsName = ({ thing }: Names): string => `${camel(thing)}Operations`
