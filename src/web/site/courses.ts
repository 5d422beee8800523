import { fill } from '#src/contract/language.ts'
import type { SiteView } from './frame.ts'
import { type CoursesFilter, coursesMain } from './pages/courses.ts'
import { listData } from './pages/item-data.ts'
import type { CategoryView } from './reads.ts'
import type { PageRequest, ShowPage } from './respond.ts'
import { siteText } from './text.ts'

const PAGE = '24'

const { list: text } = siteText

const readFilter = ({ request }: PageRequest): CoursesFilter => {
  const query = new URLSearchParams(request.query)
  return {
    category: query.get('category') ?? '',
    cursor: query.get('cursor') ?? '',
  }
}

// The list has the first hundred categories.
const findCategory = async (
  { reads }: PageRequest,
  categories: readonly CategoryView[],
  slug: string,
): Promise<CategoryView | undefined> => {
  if (slug === '') return undefined
  return categories.find(category => category.slug === slug) ?? reads.category(slug)
}

// Only the first page of all courses and of a category is for search engines: the others change with every new course.
const buildPath = ({ category, cursor }: CoursesFilter): string | undefined => {
  if (cursor !== '') return undefined
  return category === '' ? '/courses' : `/courses?category=${category}`
}

/** GET /courses: the listed courses, by category and in pages. */
export const showCourses: ShowPage = async (page): Promise<SiteView> => {
  const { reads, school, language } = page
  const filter = readFilter(page)
  const categories = (await reads.categories()).data
  const category = await findCategory(page, categories, filter.category)
  const courses = await reads.courses([
    ['limit', PAGE],
    ['sort', '-created_at'],
    ...(category === undefined ? [] : [['category_id', category.id] as const]),
    ...(filter.cursor === '' ? [] : [['cursor', filter.cursor] as const]),
  ])
  const title = category === undefined ? fill(text.title, language) : category.name
  return {
    title,
    description: category?.description || fill(text.intro, language, { school: school.name }),
    path: buildPath(filter),
    returnTo: '/courses',
    jsonLd: listData(
      page,
      courses.data.map(({ name, slug }) => ({ name, path: `/courses/${slug}` })),
    ),
    main: coursesMain({ page, filter, categories, category, courses: courses.data, next: courses.next_cursor }),
  }
}
