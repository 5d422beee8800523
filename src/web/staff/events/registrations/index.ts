import type { StaffSection } from '../../section.ts'
import { checkInEndpoints } from './check-in.ts'
import { registrationListEndpoints } from './list.ts'

/** Who comes to an event, and the entrance; the pages of an event lead here. */
export const registrations: StaffSection = {
  entries: [],
  endpoints: parts => [...registrationListEndpoints(parts), ...checkInEndpoints(parts)],
}
