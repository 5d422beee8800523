import { publicKinds, type SearchResult } from '#src/db/search.ts'
import { fromId, toId } from '#src/kit/ids.ts'

// The kinds of resources that the search of the site finds, with the prefixes of their ids.
const PREFIXES = {
  course: 'crs',
  lecturer: 'lec',
  digital_product: 'dpr',
  membership_plan: 'mpl',
  page: 'pag',
  post: 'pst',
  event: 'evt',
} as const satisfies Readonly<Record<FoundKind, string>>

type FoundKind = (typeof publicKinds)[number]

/** A result with its id in the API. */
export type Found = { readonly kind: FoundKind; readonly id: string }

const isFoundKind = (kind: string): kind is FoundKind => Object.hasOwn(PREFIXES, kind)

/** A result as pages name it; results of other kinds have none. */
export const toFound = ({ kind, id }: SearchResult): Found[] =>
  isFoundKind(kind) ? [{ kind, id: toId(PREFIXES[kind], id) }] : []

/** A position in the results, for the address of the page that continues after it. */
export const positionText = ({ kind, id, weight, listed_at: at }: SearchResult): string =>
  isFoundKind(kind) ? `${weight}.${at.getTime()}.${toId(PREFIXES[kind], id)}` : ''

/** The position in an address; undefined for another text. */
export const positionIn = (text: string): SearchResult | undefined => {
  const [, weight, time, publicId = ''] = /^([12])\.(\d{1,13})\.(\w{1,40})$/.exec(text) ?? []
  const kind = publicKinds.find(one => publicId.startsWith(`${PREFIXES[one]}_`))
  const id = kind && fromId(PREFIXES[kind], publicId)
  if (kind === undefined || id === undefined) return undefined
  return { kind, id, weight: Number(weight), listed_at: new Date(Number(time)) }
}
