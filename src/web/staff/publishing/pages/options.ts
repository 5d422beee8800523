import { CoursePage, LecturerPage } from '#src/areas/courses/index.ts'
import { EventPage } from '#src/areas/events/index.ts'
import { MembershipPlanPage } from '#src/areas/memberships/index.ts'
import { type BlockType, FormPage, PostCategoryPage, PostPage, SitePageList } from '#src/areas/publishing/index.ts'
import { DigitalProductPage } from '#src/areas/shop/index.ts'
import { fill, type Language } from '#src/contract/language.ts'
import { formatMoney } from '#src/kit/format.ts'
import type { Choice } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import { categoryChoices, listTree } from '../../courses/categories/tree.ts'
import type { Options } from './block-html.ts'
import type { EditedBlock } from './blocks.rules.ts'
import { everyOne } from './every-one.ts'
import type { Content } from './page-form.ts'
import { editorText as text } from './text.ts'

// The kinds of blocks that need a list.
const users = {
  categories: ['courses', 'products'],
  courses: ['courses', 'reviews', 'checkout', 'button', 'image'],
  products: ['products', 'checkout'],
  postCategories: ['posts'],
  posts: ['posts'],
  events: ['events'],
  plans: ['plans'],
  lecturers: ['lecturers'],
  forms: ['form'],
  pages: ['button', 'image'],
} as const satisfies Readonly<Record<string, readonly BlockType[]>>

type Priced = {
  readonly name: string
  readonly prices?: readonly { readonly id: string; readonly amount: number; readonly currency: string }[]
}

const listPrices = (things: readonly Priced[], language: Language): Choice[] =>
  things.flatMap(({ name, prices = [] }) =>
    prices.map(({ id, amount, currency }) => ({
      value: id,
      label: `${name}: ${formatMoney(amount, currency, language)}`,
    })),
  )

const listChoices = (things: readonly { readonly id: string; readonly name: string }[]): Choice[] =>
  things.map(({ id, name }) => ({ value: id, label: name }))

const fixedAddresses = (language: Language): Choice[] => [
  { value: '/', label: fill(text.addresses.home, language) },
  { value: '/courses', label: fill(text.addresses.courses, language) },
  { value: '/products', label: fill(text.addresses.products, language) },
  { value: '/lecturers', label: fill(text.addresses.lecturers, language) },
  { value: '/blog', label: fill(text.addresses.blog, language) },
  { value: '/events', label: fill(text.addresses.events, language) },
]

/** What the blocks of a page can name; a list that no block needs is not read. */
export const optionsFor = async (
  context: StaffContext,
  page: Content,
  blocks: readonly EditedBlock[],
): Promise<Options> => {
  const { language } = context
  const has = new Set<BlockType>(blocks.map(({ type }) => type))
  const ifUsed = async <Item>(list: keyof typeof users, read: () => Promise<Item[]>): Promise<Item[]> =>
    users[list].some(type => has.has(type)) ? read() : []
  const [categories, courses, products, postCategories, posts, events, plans, lecturers, forms, pages] =
    await Promise.all([
      ifUsed('categories', () => listTree(context)),
      ifUsed('courses', () =>
        everyOne(query => context.call({ operation: 'listCourses', query, expand: ['prices'], returns: CoursePage })),
      ),
      ifUsed('products', () =>
        everyOne(query =>
          context.call({ operation: 'listDigitalProducts', query, expand: ['prices'], returns: DigitalProductPage }),
        ),
      ),
      ifUsed('postCategories', () =>
        everyOne(query => context.call({ operation: 'listPostCategories', query, returns: PostCategoryPage })),
      ),
      ifUsed('posts', () =>
        everyOne(query =>
          context.call({ operation: 'listPosts', query: [...query, ['status', 'published']], returns: PostPage }),
        ),
      ),
      ifUsed('events', () =>
        everyOne(query =>
          context.call({ operation: 'listEvents', query: [...query, ['status', 'published']], returns: EventPage }),
        ),
      ),
      ifUsed('plans', () =>
        everyOne(query =>
          context.call({
            operation: 'listMembershipPlans',
            query: [...query, ['status', 'active']],
            returns: MembershipPlanPage,
          }),
        ),
      ),
      ifUsed('lecturers', () =>
        everyOne(query => context.call({ operation: 'listLecturers', query, returns: LecturerPage })),
      ),
      ifUsed('forms', () => everyOne(query => context.call({ operation: 'listForms', query, returns: FormPage }))),
      ifUsed('pages', () => everyOne(query => context.call({ operation: 'listPages', query, returns: SitePageList }))),
    ])
  return {
    language,
    lists: {
      categories: categoryChoices(categories),
      courses: listChoices(courses),
      products: listChoices(products),
      postCategories: listChoices(postCategories),
      posts: posts.map(({ id, title: label }) => ({ value: id, label })),
      events: listChoices(events),
      plans: listChoices(plans),
      lecturers: lecturers.map(({ id, display_name: label }) => ({ value: id, label })),
      forms: forms.map(({ id, title }) => ({ value: id, label: title })),
      prices: listPrices([...courses, ...products], language),
    },
    addresses: [
      ...fixedAddresses(language),
      ...pages.map(({ path, title }) => ({ value: path, label: title })),
      ...courses.map(({ slug, name }) => ({ value: `/courses/${slug}`, label: name })),
    ],
    files: new Map(page.files.map(({ file_id, name, url }) => [file_id, { name, url }])),
  }
}
