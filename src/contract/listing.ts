import Type, { type Static } from 'typebox'
import { merged } from '#src/kit/patch.ts'
import { bodyWords } from '#src/kit/search-words.ts'
import { Id, Line, Markdown, OneOf, OptionalLine, Seo, Slug } from '#src/kit/shapes.ts'
import { cleanLine, cleanTags, fold } from '#src/kit/text.ts'

/** Whether something that is published is listed, or found only by its address. */
export const visibilities = ['listed', 'unlisted'] as const

/** A tag of something in the catalogue. */
export const Tag = Line(50, 'A word or two; kept in lower case')

/** The writable fields of everything in the catalogue of a school: courses and products. */
export const listingSettings = (kind: string) => ({
  name: Line(200, `What the ${kind} is called`),
  slug: Slug,
  subtitle: OptionalLine(300, 'What it is about, in one line'),
  description: Markdown(10_000, `The description of the ${kind}`),
  visibility: OneOf(visibilities, 'Once published: in lists, or found by its address alone'),
  category_ids: Type.Array(Id('cat'), { maxItems: 20, uniqueItems: true }),
  tags: Type.Array(Tag, { maxItems: 20 }),
  seo: Seo,
})

/** The stored values of these fields. */
export type ListingValues = {
  readonly name: string
  readonly slug: string
  readonly subtitle: string
  readonly description: string
  readonly visibility: (typeof visibilities)[number]
  readonly seo_title: string | null
  readonly seo_description: string | null
  readonly tags: readonly string[]
  readonly category_ids: readonly string[]
}

/** The values of something new: visible in lists once published, and empty. */
export const BLANK_LISTING: ListingValues = {
  name: '',
  slug: '',
  subtitle: '',
  description: '',
  visibility: 'listed',
  seo_title: null,
  seo_description: null,
  tags: [],
  category_ids: [],
}

type Input = {
  readonly name?: string | undefined
  readonly subtitle?: string | undefined
  readonly tags?: readonly string[] | undefined
  readonly category_ids?: readonly string[] | undefined
  readonly seo?: Static<typeof Seo> | undefined
}

const line = (text: string | null, length: number): string | null => text && cleanLine(text, length)

/** The values after a change: texts on clean lines, tags in lower case, categories in their order. */
export const mergedListing = <Values extends ListingValues>(
  before: Values,
  { seo, ...input }: Input & Partial<Omit<Values, keyof ListingValues>>,
): Values => ({
  ...merged<Values>(before, input as Partial<Values>),
  name: input.name === undefined ? before.name : cleanLine(input.name, 200),
  subtitle: input.subtitle === undefined ? before.subtitle : cleanLine(input.subtitle, 300),
  seo_title: seo === undefined ? before.seo_title : line(seo.title, 120),
  seo_description: seo === undefined ? before.seo_description : line(seo.description, 320),
  tags: input.tags === undefined ? before.tags : cleanTags(input.tags),
  category_ids: input.category_ids?.toSorted() ?? before.category_ids,
})

/** The words by which something is found by its name, folded. */
export const nameWords = ({ name, subtitle, tags }: Pick<ListingValues, 'name' | 'subtitle' | 'tags'>): string =>
  fold([name, subtitle, ...tags].join(' '))

/** Every word by which something is found, those of its name included. */
export const allWords = ({ name, subtitle, tags, description }: ListingValues): string =>
  bodyWords([name, subtitle, ...tags, description].join(' '))
