import type { StaffSection } from '../../section.ts'
import { activityPart } from './activity.ts'
import { actPages } from './acts.ts'
import { coursesPart } from './courses.ts'
import { detailsPart } from './details.ts'
import { mailsPart } from './mails.ts'
import { ordersPart } from './orders.ts'
import { overviewPart } from './overview.ts'

/** The page of a member, with its parts and what can be done. */
export const person: StaffSection = {
  pages: [...overviewPart, coursesPart, ordersPart, mailsPart, activityPart, ...detailsPart, ...actPages],
}
