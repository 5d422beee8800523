import { fill } from '#src/contract/language.ts'
import { stripMarkdown } from '#src/kit/body/plain.ts'
import type { SiteView } from './frame.ts'
import { crumbsData, listData } from './pages/item-data.ts'
import { lecturerMain, lecturersMain } from './pages/lecturers.ts'
import { shared } from './pages/picture.ts'
import { moved, type ShowPage } from './respond.ts'
import { siteText } from './text.ts'

const PAGE = '48'
const COURSES = '100'
const POSTS = '12'

const { lecturer: text } = siteText

/** GET /lecturers: the public profiles in the order of the school. */
export const showLecturers: ShowPage = async (page): Promise<SiteView> => {
  const { reads, request, school, language } = page
  const cursor = new URLSearchParams(request.query).get('cursor') ?? ''
  const query = [['limit', PAGE] as const, ...(cursor === '' ? [] : [['cursor', cursor] as const])]
  const { data, next_cursor: next } = await reads.lecturers(query)
  return {
    title: fill(text.title, language),
    description: fill(text.intro, language, { school: school.name }),
    path: cursor === '' ? '/lecturers' : undefined,
    returnTo: '/lecturers',
    jsonLd: listData(
      page,
      data.map(({ display_name: name, slug }) => ({ name, path: `/lecturers/${slug}` })),
    ),
    main: lecturersMain(page, data, next),
  }
}

/** GET /lecturers/:slug: one profile with the courses; an earlier slug leads to the current one. */
export const showLecturer: ShowPage = async page => {
  const { reads, request } = page
  const slug = request.params.slug ?? ''
  const lecturer = await reads.lecturer(slug)
  const path = `/lecturers/${lecturer.slug}`
  if (lecturer.slug !== slug) return moved(path)
  const [courses, posts, { time_zone: timeZone }] = await Promise.all([
    reads.courses([
      ['limit', COURSES],
      ['sort', '-created_at'],
      ['lecturer_id', lecturer.id],
    ]),
    reads.posts([
      ['limit', POSTS],
      ['author_id', lecturer.id],
    ]),
    reads.school(),
  ])
  const view: SiteView = {
    title: lecturer.display_name,
    description: stripMarkdown(lecturer.bio),
    path,
    image: shared(lecturer.avatar),
    jsonLd: [
      crumbsData(page, [
        { name: fill(text.title, page.language), path: '/lecturers' },
        { name: lecturer.display_name, path },
      ]),
    ],
    main: lecturerMain({ page, lecturer, courses: courses.data, posts: posts.data, timeZone }),
  }
  return view
}
