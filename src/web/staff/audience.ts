import type { EndpointRequest } from '#src/contract/endpoint.ts'
import type { Session } from '#src/identity/index.ts'
import { type Audience, isReply, recentPersonOf } from '#src/web/page/index.ts'
import { admitted } from './page-request.ts'
import type { StaffPagesParts } from './parts.ts'
import { notTeachingPage } from './teaching/not-teaching.ts'

const admit = (request: EndpointRequest, session: Session) => {
  const seen = admitted(request, session, 'admin')
  return isReply(seen) ? seen : {}
}

/** Admins and owners. */
export const staff: Audience<StaffPagesParts, object> = {
  admit: async ({ request, session }) => admit(request, session),
  refuse: ({ school, language }) => notTeachingPage(school, language),
}

/** The same with a recent sign-in, for what is written. */
export const recentStaff: Audience<StaffPagesParts, object> = { ...staff, find: recentPersonOf }
