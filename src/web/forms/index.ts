import { type Endpoint, endpoint } from '#src/contract/endpoint.ts'
import type { FormPagesParts } from './parts.ts'
import { showForm } from './show.ts'
import { submitForm } from './submit.ts'

/** The pages on which anybody answers the forms of a school. */
export const createFormPages = (parts: FormPagesParts): Endpoint[] => [
  endpoint({ route: 'GET /forms/:slug', handle: request => showForm(request, parts) }),
  endpoint({ route: 'POST /forms/:slug', handle: request => submitForm(request, parts) }),
]
