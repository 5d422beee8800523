import type { Endpoint } from '#src/contract/endpoint.ts'
import { addEndpoints } from './add.ts'
import { confirmationsEndpoints } from './confirmations.ts'
import { homeEndpoints } from './home.ts'
import type { StaffPagesParts } from './parts.ts'
import { paymentsEndpoints } from './payments.ts'
import { peopleEndpoints } from './people.ts'
import { personEndpoints } from './person.ts'

/** The pages on which owners and admins manage the school. */
export const createStaffPages = (parts: StaffPagesParts): Endpoint[] => [
  ...homeEndpoints(parts),
  ...peopleEndpoints(parts),
  ...addEndpoints(parts),
  ...personEndpoints(parts),
  ...confirmationsEndpoints(parts),
  ...paymentsEndpoints(parts),
]
