import type { StaffSection } from '../../section.ts'
import { checkInPages } from './check-in.ts'
import { registrationList } from './list.ts'

/** Who comes to an event, and the entrance; the pages of an event lead here. */
export const registrations: StaffSection = {
  pages: [...registrationList, ...checkInPages],
}
