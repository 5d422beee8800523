import type { Endpoint } from '#src/contract/endpoint.ts'
import { addEndpoints } from './add.ts'
import { confirmationsEndpoints } from './confirmations.ts'
import { homeEndpoints } from './home.ts'
import type { StaffPagesParts } from './parts.ts'
import { peopleEndpoints } from './people.ts'
import { personEndpoints } from './person.ts'

export type { StaffPagesParts } from './parts.ts'

/** The pages on which owners and admins look after the school, without an app between. */
export const createStaffPages = (parts: StaffPagesParts): Endpoint[] => [
  ...homeEndpoints(parts),
  ...peopleEndpoints(parts),
  ...addEndpoints(parts),
  ...personEndpoints(parts),
  ...confirmationsEndpoints(parts),
]
