import type { Static } from 'typebox'
import { type Course, CoursePage } from '#src/areas/courses/index.ts'
import { isAtLeast } from '#src/contract/caller.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import type { Pairs } from '#src/kit/form.ts'
import type { Html } from '#src/kit/html.ts'
import { type Audience, isReply, nameDraft, type PageContext, renderForm } from '#src/web/page/index.ts'
import { type ConsoleView, frameInConsole } from './console/frame.ts'
import { renderOnward } from './home/guide.ts'
import { admitted } from './page-request.ts'
import type { StaffPagesParts } from './parts.ts'
import type { StaffRole } from './section.ts'
import { notTeachingPage } from './teaching/not-teaching.ts'

/** What a page of the console knows of its request. */
export type StaffContext = PageContext<StaffPagesParts> & Staff

type Staff = {
  /** Whether it is an admin or an owner. */
  readonly isStaff: boolean
  /** What is next in the guide after something of it was done. */
  readonly onward: Html | false
  /** The page itself, in the frame of the console. */
  frame(page: ConsoleView): Reply
  /** A form with its token. What is typed into a text of several lines is kept in the browser. */
  readonly form: PageContext['form']
}

const admit = async (context: PageContext<StaffPagesParts>, isStaff: boolean): Promise<Staff> => {
  const onward = isStaff && (await renderOnward(context))
  return {
    isStaff,
    onward,
    form: (inside, action = context.request.path, terms = {}) =>
      renderForm(action, context.token, inside, { draft: nameDraft(inside), ...terms }),
    frame: page => frameInConsole(context, { onward, ...page }),
  }
}

/** The most bytes of a form of the staff with its file, which waits on this computer's disk; apps send larger files. */
const maxBytes = 1_000_000_000

const refuse = ({ school, language }: PageContext) => notTeachingPage(school, language)

const isAdmin = ({ session }: PageContext): boolean => isAtLeast(session.member.role, 'admin')

type StaffAudience<More> = Audience<StaffPagesParts, More> & { readonly maxBytes: number }

const from = (least: StaffRole): StaffAudience<Staff> => ({
  maxBytes,
  admit: async context => {
    const seen = admitted(context.request, context.session, least)
    return isReply(seen) ? seen : admit(context, isAdmin(context))
  },
  refuse,
})

/** Lecturers, admins and owners. */
export const lecturers = from('lecturer')

/** Admins and owners. */
export const staff = from('admin')

/** Owners alone. */
export const owners = from('owner')

/** The same, who are asked to prove who they are before they see the page. */
export const recentStaff: StaffAudience<Staff> = { ...staff, proof: 'recent' }

/** Owners, who are asked the same. */
export const recentOwners: StaffAudience<Staff> = { ...owners, proof: 'recent' }

/** A course of the person who looks at a page. */
export type OwnCourse = Encoded<Static<typeof Course>>

/** What a page for those who teach knows of its request. */
export type TeacherContext = StaffContext & {
  /** The courses that the person manages, by name; the first 100. */
  readonly courses: readonly OwnCourse[]
}

const managed = async ({ call }: PageContext, query: Pairs): Promise<readonly OwnCourse[]> =>
  (await call({ operation: 'listCourses', query: [['managed', 'true'], ...query], returns: CoursePage })).data

// Whoever manages a course opens these pages, whatever their role (decision 132); lecturers may create their first one.
const admitTeacher = async (context: PageContext<StaffPagesParts>, isTeaching: boolean): Promise<Staff | Reply> =>
  isTeaching || isAtLeast(context.session.member.role, 'lecturer') ? admit(context, isAdmin(context)) : refuse(context)

/** Everybody who teaches, and staff, who manage every course. */
export const teachers: StaffAudience<Staff & Pick<TeacherContext, 'courses'>> = {
  maxBytes,
  async admit(context) {
    const courses = await managed(context, [
      ['sort', 'name'],
      ['limit', '100'],
    ])
    const seen = await admitTeacher(context, courses.length > 0)
    return 'status' in seen ? seen : { ...seen, courses }
  },
  refuse,
}

/** The same, on pages that do not list the courses of the person. */
export const courseTeachers: StaffAudience<Staff> = {
  maxBytes,
  async admit(context) {
    const isLecturer = isAtLeast(context.session.member.role, 'lecturer')
    const isTeaching = isLecturer || (await managed(context, [['limit', '1']])).length > 0
    return admitTeacher(context, isTeaching)
  },
  refuse,
}
