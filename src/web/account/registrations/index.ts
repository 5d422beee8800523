import { registrationListPages } from './list.ts'
import { registrationPages } from './one.ts'
import { registerPages } from './register.ts'

export { AGAIN, askAgain } from './held.ts'
export { showGone } from './register.ts'
export { formatDates, type OwnRegistration, registrationPath } from './shown.ts'

/** The pages of seats at events: those of a person, one of them, and registering for one. */
export const registrationsPages = [...registrationListPages, ...registerPages, ...registrationPages]
