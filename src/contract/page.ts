import Type, { type Static, type TSchema } from 'typebox'

/** The query members every list has. */
export const PageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25, description: 'How many at most' })),
  cursor: Type.Optional(Type.String({ maxLength: 500, description: 'Where to go on, from next_cursor' })),
}

/** The shape of one page of a list. */
export const PageOf = <Item extends TSchema>(item: Item, title: string) =>
  Type.Object(
    { data: Type.Array(item), has_more: Type.Boolean(), next_cursor: Type.Optional(Type.String()) },
    { additionalProperties: false, title },
  )

/** Cuts what was read with one row more than asked for into a page; `cursorOf` says where the next one begins. */
export const pageOf = <Item>(rows: readonly Item[], limit: number, cursorOf: (last: Item) => string) => {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  const more = rows.length > limit && last !== undefined
  return { data, has_more: more, ...(more ? { next_cursor: cursorOf(last) } : {}) }
}

/** A page as the caller gets it. */
export type Page<Item extends TSchema> = Static<ReturnType<typeof PageOf<Item>>>
