import { Course } from '#src/areas/courses/index.ts'
import { idPattern } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { keptPhrase, orNothing } from '#src/web/page/index.ts'
import type { VisitorContext } from './parts.ts'

const { signIn: text } = texts.account

const OF_COURSE = new RegExp(`^/(?:courses|learn)/(?:(${idPattern('crs').slice(1, -1)})|([a-z0-9-]+))(?:[/?]|$)`)

// As a visitor reads it: a course that is not public has no name here.
const findCourseName = async ({ call }: VisitorContext, address: string): Promise<string | undefined> => {
  const [, id, slug] = OF_COURSE.exec(address) ?? []
  if (id === undefined && slug === undefined) return undefined
  const params = { course_id: id ?? `slug:${slug}` }
  return (await orNothing(call({ operation: 'getCourse', params, returns: Course })))?.name
}

/** Where somebody goes who signs in, in a sentence; `address` is one of ours. */
export const describeOnward = async (context: VisitorContext, address: string): Promise<string> => {
  const { t } = context
  const kept = keptPhrase(address)
  if (kept !== undefined) return t(kept)
  if (/^\/account\b/.test(address)) return t(text.intro)
  if (/^\/checkout\b/.test(address)) return t(text.onwardToCheckout)
  const name = await findCourseName(context, address)
  return name === undefined ? t(text.onward) : t(text.onwardTo, { name })
}
