import { fromId, type IdPrefix, toId } from '#src/kit/ids.ts'

/** What the bin knows of a kind of thing: the prefix of its ids, and the operations that read, restore and end it. */
type Kind = { readonly prefix: IdPrefix; readonly list: string; readonly acts: readonly string[] }

/** The kinds of things that are kept in the bin. */
export const binKinds = {
  course: { prefix: 'crs', list: 'listCourses', acts: ['restoreCourse', 'purgeCourse'] },
  digital_product: {
    prefix: 'dpr',
    list: 'listDigitalProducts',
    acts: ['restoreDigitalProduct', 'purgeDigitalProduct'],
  },
  lesson: { prefix: 'les', list: 'listLessons', acts: ['restoreLesson'] },
  page: { prefix: 'pag', list: 'listPages', acts: ['restorePage', 'purgePage'] },
  post: { prefix: 'pst', list: 'listPosts', acts: ['restorePost', 'purgePost'] },
} as const satisfies Readonly<Record<string, Kind>>

/** A kind of thing that is kept in the bin. */
export type BinKind = keyof typeof binKinds

/** The UUID of a thing by its id on the wire. */
export const parseBinId = (wire: string): string | undefined => {
  const kind = Object.values(binKinds).find(({ prefix }) => wire.startsWith(`${prefix}_`))
  return kind && fromId(kind.prefix, wire)
}

/** The id of a thing on the wire. */
export const binId = ({ kind, id }: { readonly kind: BinKind; readonly id: string }): string =>
  toId(binKinds[kind].prefix, id)
