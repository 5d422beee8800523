import { texts } from '#src/texts/index.ts'

/** The texts of the pages of integrations, in every language. */
export const integrationsText = texts.staff.integrations.common

/** The sentences for refusals on the pages of integrations. */
export const integrationRefusals = texts.staff.integrations.integrationRefusals
