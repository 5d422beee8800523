import { hook } from './hook.ts'

/** Something that members can be given or sold, or that a bundle opens, by the id of its row. */
export type Item = {
  readonly type: 'course' | 'digital_product' | 'event' | 'membership_plan' | 'post_category' | 'ticket'
  readonly id: string
}

/** What the area of an item knows of it; undefined when the item belongs to another area. */
type ItemName = { readonly name: string } | 'unknown' | undefined

/** Called to find out whether an item exists in the school, and what it is called; locks it, so that it is not deleted. */
export const itemExists = hook<Item, ItemName>('itemExists')

/** What an item is called, and the path of its page on the site, if it has one. */
export type NamedItem = { readonly name: string; readonly path: string | null }

/**
 * Called for the names of some items of a type by their ids; the area of the type answers. `isPublic`: only of those that
 * everybody may see.
 */
export const itemNames = hook<
  { readonly type: Item['type']; readonly ids: readonly string[]; readonly isPublic: boolean },
  ReadonlyMap<string, NamedItem>
>('itemNames')

/** The names of rows whose pages are below a path; only what is published has a page. */
export const namedItems = (
  rows: readonly { readonly id: string; readonly name: string; readonly slug: string; readonly status: string }[],
  below: `/${string}`,
): ReadonlyMap<string, NamedItem> =>
  new Map(
    rows.map(({ id, name, slug, status }) => [id, { name, path: status === 'published' ? `${below}/${slug}` : null }]),
  )

/** Something that still uses an item: of which kind, its id on the wire if it is one resource, and how many there are. */
export type Use = { readonly kind: string; readonly id: string | null; readonly count: number }

/** Called before an item is deleted for everything that still uses it; an item in use is not deleted. */
export const inUseOf = hook<Item, readonly Use[]>('inUseOf')
