import { problem } from '#src/contract/problem.ts'
import { cleanLine } from '#src/kit/text.ts'
import { redirectsAfter } from '../addresses/rules.ts'
import type { Block } from '../blocks/rules.ts'
import type { PageRow, PageValues } from './queries.ts'
import type { PageInput } from './schema.ts'

/** The school has the maximum number of pages. */
export const tooManyPages = problem(
  409,
  'too_many_pages',
  'The school has too many pages',
  'A school has at most five hundred pages. Delete some that are no longer needed.',
)

/** How many pages a school may have. */
export const MAX_PAGES = 500

/** The values of a new page: listed once it is published, and empty. */
export const BLANK: PageValues = {
  title: '',
  path: '/',
  blocks: [],
  seo_title: null,
  seo_description: null,
  visibility: 'listed',
  nav_label: null,
  redirects: [],
}

const line = (text: string | null, length: number): string | null => text && cleanLine(text, length)

/** The values after a change; `blocks` are those of the input as they are stored. */
export const mergedPage = (
  before: PageValues,
  { blocks: _blocks, ...input }: PageInput,
  blocks: readonly Block[] = before.blocks,
): PageValues => ({
  title: input.title === undefined ? before.title : cleanLine(input.title, 200),
  path: input.path ?? before.path,
  blocks,
  seo_title: input.seo === undefined ? before.seo_title : line(input.seo.title, 120),
  seo_description: input.seo === undefined ? before.seo_description : line(input.seo.description, 320),
  visibility: input.visibility ?? before.visibility,
  nav_label: input.nav_label === undefined ? before.nav_label : line(input.nav_label, 60),
  redirects: input.redirects?.toSorted() ?? before.redirects,
})

/** The same for a stored page: when the path of one that was published changes, the old path leads to it too. */
export const changedPage = (row: PageRow, input: PageInput, blocks?: readonly Block[]): PageValues => {
  const values = mergedPage(row, input, blocks)
  if (values.path === row.path || input.redirects !== undefined) return values
  // Nobody knows the path of a page that was never published.
  const from = row.published_at === null ? undefined : row.path
  return { ...values, redirects: redirectsAfter(values.redirects, { from, to: values.path }) }
}

// The fields that are in versions.
const contentFields = ['title', 'blocks', 'seo_title', 'seo_description'] as const

/** Whether a change of these fields makes a new version. */
export const isContent = (fields: readonly string[]): boolean =>
  fields.some(field => contentFields.some(name => name === field))
